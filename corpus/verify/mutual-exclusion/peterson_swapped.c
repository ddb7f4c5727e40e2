// Peterson's algorithm with its two stores in the wrong order.
//@ sc tso pso relaxed armv8 power riscv: assert fails: the first to give way may announce itself after the other has looked
//@ rc11: assert fails, race fails: both may be in the critical section
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool wants[2];
static atomic_int turn;

static void lock(int me) {
    int other = 1 - me;
    atomic_store(&turn, other); /* too early */
    atomic_store(&wants[me], true);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
        ;
}

static void unlock(int me) {
    atomic_store(&wants[me], false);
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
