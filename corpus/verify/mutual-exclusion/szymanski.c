// Szymanski's algorithm (1988) for two threads: a waiting room with two doors.
//@ all: holds: the door in is closed before anybody goes on, and those inside go in the order of their numbers
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* 0 outside, 1 wants in, 2 waits for others, 3 in the doorway, 4 inside with the door closed */
static atomic_int flag[2];

static void lock(int me) {
    int other = 1 - me;
    atomic_store(&flag[me], 1);
    while (atomic_load(&flag[other]) >= 3)
        ;
    atomic_store(&flag[me], 3);
    if (atomic_load(&flag[other]) == 1) {
        atomic_store(&flag[me], 2);
        while (atomic_load(&flag[other]) != 4)
            ;
    }
    atomic_store(&flag[me], 4);
    if (other < me)
        while (atomic_load(&flag[other]) >= 2)
            ;
}

static void unlock(int me) {
    int other = 1 - me;
    if (other > me) {
        int its;
        do {
            its = atomic_load(&flag[other]);
        } while (its == 2 || its == 3);
    }
    atomic_store(&flag[me], 0);
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
