// Dekker's algorithm (about 1962), sequentially consistent.
//@ all: holds: of two that want to enter, one sees the other, and turn decides who steps back
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool wants[2];
static atomic_int turn;

static void lock(int me) {
    int other = 1 - me;
    atomic_store(&wants[me], true);
    while (atomic_load(&wants[other])) {
        if (atomic_load(&turn) == me)
            continue;
        atomic_store(&wants[me], false); /* step back until it is my turn */
        while (atomic_load(&turn) != me)
            ;
        atomic_store(&wants[me], true);
    }
}

static void unlock(int me) {
    atomic_store(&turn, 1 - me);
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
