// Burns' algorithm with relaxed accesses.
//@ sc: holds: the algorithm is right for interleavings
//@ tso pso relaxed power riscv armv8: assert fails: the load of the other flag may overtake the store of the own one, and both enter
//@ rc11: assert fails, race fails: relaxed accesses do not keep the two apart
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool flag[2];

static void lock(int me) {
    if (me == 0) {
        atomic_store_explicit(&flag[0], true, memory_order_relaxed);
        while (atomic_load_explicit(&flag[1], memory_order_relaxed))
            ;
        return;
    }
    do {
        atomic_store_explicit(&flag[1], false, memory_order_relaxed);
        while (atomic_load_explicit(&flag[0], memory_order_relaxed))
            ;
        atomic_store_explicit(&flag[1], true, memory_order_relaxed);
    } while (atomic_load_explicit(&flag[0], memory_order_relaxed));
}

static void unlock(int me) {
    atomic_store_explicit(&flag[me], false, memory_order_relaxed);
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
