// Dekker's algorithm with relaxed accesses.
//@ sc: holds: the algorithm is right for interleavings
//@ tso pso relaxed power riscv armv8: assert fails: the load of the other flag may overtake the store of the own one, and both enter
//@ rc11: assert fails, race fails: relaxed accesses do not keep the two apart
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
    while (atomic_load_explicit(&wants[other], memory_order_relaxed)) {
        if (atomic_load_explicit(&turn, memory_order_relaxed) == me)
            continue;
        atomic_store_explicit(&wants[me], false, memory_order_relaxed); /* step back until it is my turn */
        while (atomic_load_explicit(&turn, memory_order_relaxed) != me)
            ;
        atomic_store_explicit(&wants[me], true, memory_order_relaxed);
    }
}

static void unlock(int me) {
    atomic_store_explicit(&turn, 1 - me, memory_order_relaxed);
    atomic_store_explicit(&wants[me], false, memory_order_relaxed);
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
