/* cnd_t: a signal lets one waiter go on, in turns that a number decides. */
#include <stdio.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static int turn;
static int order[6], length;

static int worker(void *argument) {
    int me = *(int *)argument;
    for (int i = 0; i < 2; i++) {
        mtx_lock(&mutex);
        while (turn % 3 != me) cnd_wait(&changed, &mutex);
        order[length++] = me;
        turn++;
        cnd_broadcast(&changed);
        mtx_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    thrd_t threads[3];
    int numbers[3] = { 2, 0, 1 };
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
    for (int i = 0; i < 3; i++) thrd_create(&threads[i], worker, &numbers[i]);
    for (int i = 0; i < 3; i++) thrd_join(threads[i], NULL);
    for (int i = 0; i < length; i++) printf("%d ", order[i]);
    printf("\n");
    cnd_destroy(&changed);
    mtx_destroy(&mutex);
    return 0;
}
