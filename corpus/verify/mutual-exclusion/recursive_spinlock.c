// A spinlock that its owner may take again.
//@ all: holds: only the owner itself can find itself to be the owner
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int owner = -1;
static int depth;

static void take(int me) {
    if (atomic_load_explicit(&owner, memory_order_relaxed) == me) {
        depth++;
        return;
    }
    int nobody = -1;
    while (!atomic_compare_exchange_strong_explicit(&owner, &nobody, me, memory_order_acquire, memory_order_relaxed))
        nobody = -1;
    depth = 1;
}

static void give(void) {
    if (--depth == 0)
        atomic_store_explicit(&owner, -1, memory_order_release);
}

static void lock(int me) {
    take(me);
    take(me);
}

static void unlock(int me) {
    (void)me;
    give();
    give();
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
