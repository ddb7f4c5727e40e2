// A test-and-set lock whose lock is relaxed.
//@ sc tso pso: holds: nothing overtakes the load of the exchange
//@ relaxed armv8 power riscv: assert fails: the counter may be loaded before the lock is taken
//@ rc11: assert fails, race fails: nothing is acquired
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int held;

static void lock(int me) {
    (void)me;
    while (atomic_exchange_explicit(&held, 1, memory_order_relaxed))
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
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
