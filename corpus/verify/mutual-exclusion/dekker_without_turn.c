// Dekker's algorithm without its turn: each waits while the other wants to enter.
//@ all: liveness fails: both may announce themselves and then wait for each other for ever
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool wants[2];

static void lock(int me) {
    atomic_store(&wants[me], true);
    while (atomic_load(&wants[1 - me]))
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
