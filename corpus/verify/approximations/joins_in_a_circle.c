// Two threads join each other through handles in memory.
//@ sc tso: deadlock fails: neither can end before the other
//@ relaxed armv8 rc11: open: the solver refuses joins through handles in memory (S-109)
#include <pthread.h>

static pthread_t handles[2];
static pthread_barrier_t started;

static void *wait_for(void *other) {
    pthread_barrier_wait(&started);
    pthread_join(*(pthread_t *)other, 0);
    return 0;
}

int main(void) {
    pthread_barrier_init(&started, 0, 3);
    pthread_create(&handles[0], 0, wait_for, &handles[1]);
    pthread_create(&handles[1], 0, wait_for, &handles[0]);
    pthread_barrier_wait(&started);
    return 0;
}
