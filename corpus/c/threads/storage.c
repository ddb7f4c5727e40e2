/* tss_t with a destructor, and thread_local. */
#include <stdio.h>
#include <threads.h>

static tss_t key;
static mtx_t mutex;
static int destroyed;
static thread_local int own = 1;
static int numbers[2] = { 10, 20 };

static void destroy(void *value) {
    mtx_lock(&mutex);
    destroyed += *(int *)value;
    mtx_unlock(&mutex);
}

static int worker(void *argument) {
    if (tss_get(key) != NULL) return -1;
    tss_set(key, argument);
    own += *(int *)tss_get(key);
    return own;
}

int main(void) {
    thrd_t threads[2];
    mtx_init(&mutex, mtx_plain);
    if (tss_create(&key, destroy) != thrd_success) return 1;
    for (int i = 0; i < 2; i++) thrd_create(&threads[i], worker, &numbers[i]);
    for (int i = 0; i < 2; i++) {
        int result;
        thrd_join(threads[i], &result);
        printf("%d\n", result);
    }
    printf("%d %d\n", destroyed, own);
    tss_delete(key);
    return 0;
}
