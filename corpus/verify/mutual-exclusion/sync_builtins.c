// A lock over the old builtins of gcc.
//@ all: holds: __sync_lock_test_and_set acquires and __sync_lock_release releases
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int held;

static void lock(int me) {
    (void)me;
    while (__sync_lock_test_and_set(&held, 1))
        ;
}

static void unlock(int me) {
    (void)me;
    __sync_lock_release(&held);
}

static int counter; /* what the lock protects */

static void *worker(void *argument) {
    int me = (int)(intptr_t)argument;
    lock(me);
    counter++;
    unlock(me);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
