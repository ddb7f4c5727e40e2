// Peterson's algorithm (1981) for two threads, sequentially consistent.
//@ all: holds: who writes turn last waits, and sees that the other wants to enter
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool wants[2];
static atomic_int turn;

static void lock(int me) {
    int other = 1 - me;
    atomic_store_explicit(&wants[me], true, memory_order_seq_cst);
    atomic_store_explicit(&turn, other, memory_order_seq_cst);
    while (atomic_load_explicit(&wants[other], memory_order_seq_cst)
           && atomic_load_explicit(&turn, memory_order_seq_cst) == other)
        ;
}

static void unlock(int me) {
    atomic_store_explicit(&wants[me], false, memory_order_seq_cst);
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
