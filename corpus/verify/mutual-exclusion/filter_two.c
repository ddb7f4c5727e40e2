// The filter lock (Peterson) for two threads.
//@ all: holds: the victim of a level waits for those at or above it
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define THREADS 2

static atomic_int level[THREADS], victim[THREADS];

static bool someone_above(int me, int at) {
    for (int other = 0; other < THREADS; other++)
        if (other != me && atomic_load(&level[other]) >= at)
            return true;
    return false;
}

static void lock(int me) {
    for (int at = 1; at < THREADS; at++) {
        atomic_store(&level[me], at);
        atomic_store(&victim[at], me);
        while (someone_above(me, at) && atomic_load(&victim[at]) == me)
            ;
    }
}

static void unlock(int me) {
    atomic_store(&level[me], 0);
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
