// Burns' algorithm (Burns and Lynch, 1980) for two threads: one bit for each.
//@ all: holds: the second gives way to the first
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool flag[2];

static void lock(int me) {
    if (me == 0) {
        atomic_store(&flag[0], true);
        while (atomic_load(&flag[1]))
            ;
        return;
    }
    do {
        atomic_store(&flag[1], false);
        while (atomic_load(&flag[0]))
            ;
        atomic_store(&flag[1], true);
    } while (atomic_load(&flag[0]));
}

static void unlock(int me) {
    atomic_store(&flag[me], false);
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
