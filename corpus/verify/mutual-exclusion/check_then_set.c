// A lock that looks first and takes afterwards.
//@ sc tso pso relaxed armv8 power riscv: assert fails: both may look before either takes
//@ rc11: assert fails, race fails: both may be inside
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int held;

static void lock(int me) {
    (void)me;
    while (atomic_load(&held))
        ;
    atomic_store(&held, 1);
}

static void unlock(int me) {
    (void)me;
    atomic_store(&held, 0);
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
