// Lamport's bakery without the flags that tell who is choosing.
//@ sc tso pso relaxed armv8 power riscv: assert fails: the other may see no number here while an equal one is about to be written
//@ rc11: assert fails, race fails: both may be inside
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_int number[2];

static bool before(int mine, int me, int its, int it) {
    return its != 0 && (its < mine || (its == mine && it < me));
}

static void lock(int me) {
    int largest = 0;
    for (int other = 0; other < 2; other++) {
        int its = atomic_load(&number[other]);
        if (its > largest)
            largest = its;
    }
    int mine = largest + 1;
    atomic_store(&number[me], mine);
    for (int other = 0; other < 2; other++) {
        if (other == me)
            continue;
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
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
