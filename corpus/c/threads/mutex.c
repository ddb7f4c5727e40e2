/* mtx_t: plain and recursive, lock and trylock. */
#include <stdio.h>
#include <threads.h>

static mtx_t plain, recursive;
static int counter;

static int worker(void *argument) {
    (void)argument;
    for (int i = 0; i < 10; i++) {
        mtx_lock(&plain);
        counter++;
        mtx_unlock(&plain);
    }
    return mtx_trylock(&recursive) == thrd_busy;
}

int main(void) {
    thrd_t threads[2];
    int busy = 0;
    printf("%d\n", mtx_init(&plain, mtx_plain) == thrd_success);
    printf("%d\n", mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
    mtx_lock(&recursive);
    printf("%d\n", mtx_trylock(&recursive) == thrd_success);
    for (int i = 0; i < 2; i++) thrd_create(&threads[i], worker, NULL);
    for (int i = 0; i < 2; i++) {
        int result;
        thrd_join(threads[i], &result);
        busy += result;
    }
    printf("%d %d\n", counter, busy);
    mtx_unlock(&recursive);
    mtx_unlock(&recursive);
    mtx_destroy(&plain);
    mtx_destroy(&recursive);
    return 0;
}
