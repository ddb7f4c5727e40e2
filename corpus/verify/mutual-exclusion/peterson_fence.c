// Peterson's algorithm with one full fence between its stores and its loads.
// The order of the two stores is left to release, which speaks of loads that see the store only.
//@ sc tso pso relaxed armv8 riscv: holds: a store is seen by all others at once, so the order of the two stores is enough
//@ power: assert fails: lwsync before a store that is overwritten does not make the store before it visible (shape R)
//@ rc11: assert fails, race fails: nobody reads the store of turn that is overwritten, so it releases nothing
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool wants[2];
static atomic_int turn;

static void lock(int me) {
    int other = 1 - me;
    atomic_store_explicit(&wants[me], true, memory_order_relaxed);
    atomic_store_explicit(&turn, other, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load_explicit(&wants[other], memory_order_acquire)
           && atomic_load_explicit(&turn, memory_order_acquire) == other)
        ;
}

static void unlock(int me) {
    atomic_store_explicit(&wants[me], false, memory_order_release);
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
