// A lock taken by compare-and-swap that forgets to reset what it expects.
// After a failure the old owner is expected, and replaced.
//@ sc tso pso relaxed armv8 power riscv: assert fails: the second round takes the lock away from its holder
//@ rc11: assert fails, race fails: both may be inside
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int owner = -1;

static void lock(int me) {
    int nobody = -1;
    while (!atomic_compare_exchange_strong(&owner, &nobody, me))
        ;
}

static void unlock(int me) {
    (void)me;
    atomic_store(&owner, -1);
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
