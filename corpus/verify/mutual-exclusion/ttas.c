// A test-and-test-and-set lock: look with loads, then exchange.
//@ all: holds: only the exchange takes the lock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int held;

static void lock(int me) {
    (void)me;
    do {
        while (atomic_load_explicit(&held, memory_order_relaxed))
            ;
    } while (atomic_exchange_explicit(&held, 1, memory_order_acquire));
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
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
