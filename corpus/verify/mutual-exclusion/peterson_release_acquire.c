// Peterson's algorithm with release stores and acquire loads, a popular mistake.
//@ sc: holds: no order is needed
//@ armv8: holds: STLR and LDAR keep all accesses of the algorithm in order
//@ tso pso relaxed power riscv: assert fails: a load may still overtake an earlier release store
//@ rc11: assert fails, race fails: release and acquire do not order a store and a later load
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool wants[2];
static atomic_int turn;

static void lock(int me) {
    int other = 1 - me;
    atomic_store_explicit(&wants[me], true, memory_order_release);
    atomic_store_explicit(&turn, other, memory_order_release);
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
