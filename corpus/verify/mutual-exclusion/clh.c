// The queue lock of Craig, Landin and Hagersten (1993): each waits on the node of its predecessor.
//@ all: holds: the predecessor clears its own node, which the successor then keeps
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool busy[3]; /* one node for each thread, and one that nobody holds */
static atomic_int tail = 2;
static int mine[2] = { 0, 1 }, before[2];

static void lock(int me) {
    atomic_store_explicit(&busy[mine[me]], true, memory_order_relaxed);
    before[me] = atomic_exchange_explicit(&tail, mine[me], memory_order_acq_rel);
    while (atomic_load_explicit(&busy[before[me]], memory_order_acquire))
        ;
}

static void unlock(int me) {
    atomic_store_explicit(&busy[mine[me]], false, memory_order_release);
    mine[me] = before[me];
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
