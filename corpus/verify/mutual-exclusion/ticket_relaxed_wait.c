// A ticket lock that waits with relaxed loads.
//@ sc tso pso: holds: loads stay in order
//@ relaxed: holds: a relaxed load has a load-load fence behind it there
//@ armv8 power riscv: assert fails: the counter may be loaded before the lock is taken
//@ rc11: assert fails, race fails: nothing is acquired
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int next_ticket, serving;

static void lock(int me) {
    (void)me;
    int mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, memory_order_relaxed) != mine)
        ;
}

static void unlock(int me) {
    (void)me;
    int now = atomic_load_explicit(&serving, memory_order_relaxed);
    atomic_store_explicit(&serving, now + 1, memory_order_release);
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
