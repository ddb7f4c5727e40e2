/* Dekker's algorithm: two threads that enter their critical section N times each.
   After the description of the evaluation of SATCheck (Demsky and Lam, OOPSLA 2015).
   -DN=…: how often. -DASSERTED: the critical section asserts that nobody else is in it.
   -DBUG: a thread that comes back from waiting does not look whether the other is inside. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static atomic_int wants[2], turn;
#ifdef ASSERTED
static int counter;
#endif

static void lock(int me) {
    int other = 1 - me;
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[other])) {
        if (atomic_load(&turn) == me)
            continue;
        atomic_store(&wants[me], 0); /* step back until it is my turn */
        while (atomic_load(&turn) != me)
            ;
        atomic_store(&wants[me], 1);
#ifdef BUG
        return;
#endif
    }
}

static void unlock(int me) {
    atomic_store(&turn, 1 - me);
    atomic_store(&wants[me], 0);
}

static void *worker(void *argument) {
    int me = (int)(intptr_t)argument;
    for (int i = 0; i < N; i++) {
        lock(me);
#ifdef ASSERTED
        int before = counter;
        counter = before + 1;
        assert(counter == before + 1);
#endif
        unlock(me);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
