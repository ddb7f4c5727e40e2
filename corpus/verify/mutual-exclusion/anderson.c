// Anderson's array lock (1990): a slot for each ticket.
//@ all: holds: each waits at its own slot, and the one before opens it
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool may_enter[2] = { true, false };
static atomic_uint next_slot;
static unsigned slot[2];

static void lock(int me) {
    slot[me] = atomic_fetch_add_explicit(&next_slot, 1, memory_order_relaxed) % 2;
    while (!atomic_load_explicit(&may_enter[slot[me]], memory_order_acquire))
        ;
    atomic_store_explicit(&may_enter[slot[me]], false, memory_order_relaxed);
}

static void unlock(int me) {
    atomic_store_explicit(&may_enter[(slot[me] + 1) % 2], true, memory_order_release);
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
