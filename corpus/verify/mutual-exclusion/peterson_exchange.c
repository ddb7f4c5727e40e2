// Peterson's algorithm where turn is written by a read-modify-write (after A. Williams, 2008).
// Of the two exchanges, the second one acquires what the first released: the wish to enter.
//@ all: holds: the later exchange synchronises with the earlier one
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
    atomic_exchange_explicit(&turn, other, memory_order_acq_rel);
    while (atomic_load_explicit(&wants[other], memory_order_acquire)
           && atomic_load_explicit(&turn, memory_order_relaxed) == other)
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
