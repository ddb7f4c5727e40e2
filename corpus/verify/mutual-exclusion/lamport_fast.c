// Lamport's fast mutual exclusion (1987), for two threads.
//@ all: holds: who finds x unchanged after having written y is alone
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool busy[2];
static atomic_int x, y; /* threads count from one here; zero is nobody */

static void lock(int index) {
    int me = index + 1;
    for (;;) {
        atomic_store(&busy[index], true);
        atomic_store(&x, me);
        if (atomic_load(&y) != 0) {
            atomic_store(&busy[index], false);
            while (atomic_load(&y) != 0)
                ;
            continue;
        }
        atomic_store(&y, me);
        if (atomic_load(&x) == me)
            return;
        atomic_store(&busy[index], false);
        for (int other = 0; other < 2; other++)
            while (atomic_load(&busy[other]))
                ;
        if (atomic_load(&y) == me)
            return;
        while (atomic_load(&y) != 0)
            ;
    }
}

static void unlock(int index) {
    atomic_store(&y, 0);
    atomic_store(&busy[index], false);
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
