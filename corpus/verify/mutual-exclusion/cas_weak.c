// A lock taken by a weak compare-and-swap, which may fail without cause.
//@ all: holds: a failure without cause only makes another round
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int owner = -1;

static void lock(int me) {
    int nobody = -1;
    while (!atomic_compare_exchange_weak_explicit(&owner, &nobody, me, memory_order_acquire, memory_order_relaxed))
        nobody = -1;
}

static void unlock(int me) {
    assert(atomic_load_explicit(&owner, memory_order_relaxed) == me);
    atomic_store_explicit(&owner, -1, memory_order_release);
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
