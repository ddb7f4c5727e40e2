/* call_once runs its function once. */
#include <stdio.h>
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static int times;

static void first(void) {
    times++;
}

static int worker(void *argument) {
    (void)argument;
    call_once(&flag, first);
    return times;
}

int main(void) {
    thrd_t threads[3];
    for (int i = 0; i < 3; i++) thrd_create(&threads[i], worker, NULL);
    for (int i = 0; i < 3; i++) {
        int seen;
        thrd_join(threads[i], &seen);
        printf("%d\n", seen);
    }
    call_once(&flag, first);
    printf("%d\n", times);
    return 0;
}
