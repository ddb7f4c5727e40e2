// A test-and-set lock.
//@ all: holds: the exchange that reads zero acquires what the last unlock released
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int held;

static void lock(int me) {
    (void)me;
    while (atomic_exchange_explicit(&held, 1, memory_order_acquire))
        ;
}

static void unlock(int me) {
    (void)me;
    atomic_store_explicit(&held, 0, memory_order_release);
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
    pthread_t threads[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 3);
    return 0;
}
