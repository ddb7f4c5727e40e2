// Lamport's bakery for three threads.
//@ sc tso armv8 rc11: holds: the smallest number goes first
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool choosing[3];
static atomic_int number[3];

static bool before(int mine, int me, int its, int it) {
    return its != 0 && (its < mine || (its == mine && it < me));
}

static void lock(int me) {
    int largest = 0;
    atomic_store(&choosing[me], true);
    for (int other = 0; other < 3; other++) {
        int its = atomic_load(&number[other]);
        if (its > largest)
            largest = its;
    }
    int mine = largest + 1;
    atomic_store(&number[me], mine);
    atomic_store(&choosing[me], false);
    for (int other = 0; other < 3; other++) {
        if (other == me)
            continue;
        while (atomic_load(&choosing[other]))
            ;
        while (before(mine, me, atomic_load(&number[other]), other))
            ;
    }
}

static void unlock(int me) {
    atomic_store(&number[me], 0);
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
    pthread_t threads[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 3);
    return 0;
}
