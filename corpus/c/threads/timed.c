/* Timed waits end; a mutex that is free is taken within any time. */
#include <stdio.h>
#include <threads.h>
#include <time.h>

int main(void) {
    mtx_t mutex;
    cnd_t never;
    struct timespec now;
    mtx_init(&mutex, mtx_timed);
    cnd_init(&never);
    timespec_get(&now, TIME_UTC);
    printf("%d\n", mtx_timedlock(&mutex, &now) == thrd_success);
    printf("%d\n", cnd_timedwait(&never, &mutex, &now) == thrd_timedout);
    printf("%d\n", mtx_unlock(&mutex) == thrd_success);
    struct timespec pause = { 0, 1000 };
    printf("%d\n", thrd_sleep(&pause, NULL));
    thrd_yield();
    return 0;
}
