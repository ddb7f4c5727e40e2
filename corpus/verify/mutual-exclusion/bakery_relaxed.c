// Lamport's bakery with relaxed accesses.
//@ sc: holds: the algorithm is right for interleavings
//@ tso pso relaxed power riscv armv8: assert fails: the load of the other number may overtake the store of the own one, and both enter
//@ rc11: assert fails, race fails: relaxed accesses do not keep the two apart
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool choosing[2];
static atomic_int number[2];

static bool before(int mine, int me, int its, int it) {
    return its != 0 && (its < mine || (its == mine && it < me));
}

static void lock(int me) {
    int largest = 0;
    atomic_store_explicit(&choosing[me], true, memory_order_relaxed);
    for (int other = 0; other < 2; other++) {
        int its = atomic_load_explicit(&number[other], memory_order_relaxed);
        if (its > largest)
            largest = its;
    }
    int mine = largest + 1;
    atomic_store_explicit(&number[me], mine, memory_order_relaxed);
    atomic_store_explicit(&choosing[me], false, memory_order_relaxed);
    for (int other = 0; other < 2; other++) {
        if (other == me)
            continue;
        while (atomic_load_explicit(&choosing[other], memory_order_relaxed))
            ;
        while (before(mine, me, atomic_load_explicit(&number[other], memory_order_relaxed), other))
            ;
    }
}

static void unlock(int me) {
    atomic_store_explicit(&number[me], 0, memory_order_relaxed);
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
