// Kessels' algorithm (1982): Peterson's with a turn of two bits, each written by one thread.
//@ all: holds: the bits are equal or not, and that says whose turn it is
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool wants[2];
static atomic_int bit[2];

static void lock(int me) {
    int other = 1 - me;
    atomic_store(&wants[me], true);
    int mine = atomic_load(&bit[other]) ^ me;
    atomic_store(&bit[me], mine);
    while (atomic_load(&wants[other]) && (atomic_load(&bit[other]) ^ me) == mine)
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
