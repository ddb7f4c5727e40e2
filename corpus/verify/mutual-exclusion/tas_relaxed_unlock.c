// A test-and-set lock whose unlock is relaxed.
//@ sc tso: holds: stores are seen in order
//@ pso relaxed armv8 power riscv: assert fails: the lock may be seen free before the counter is seen
//@ rc11: assert fails, race fails: nothing is released
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
    atomic_store_explicit(&held, 0, memory_order_relaxed);
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
