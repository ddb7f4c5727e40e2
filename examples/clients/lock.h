/* A client for a lock. The file that includes it has defined lock_init(), acquire(me) and
   release(me), where `me` numbers the threads from 0, CLIENT_THREADS if not three, and
   LOCK_NUMBERS_THREADS if the lock tells threads apart by their numbers.
   Each thread enters twice. Nobody else is inside meanwhile, and no increment is lost. */
#include "operations.h"
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#ifndef CLIENT_THREADS
#define CLIENT_THREADS 3
#endif
enum { ROUNDS = 2 };

static bool inside;
static int counter;

#ifdef __FENCEPOST__
/* The operations of tests: thread 0 or thread 1 counts, inside the lock. */
void init(void) { lock_init(); }

static void count(int me) {
    acquire(me);
    int before = counter;
    counter = before + 1;
    release(me);
    fp_observe("before", before);
}

void c0(void) { count(0); }
void c1(void) { count(1); }

/* For any number of threads that the lock does not tell apart: no other is inside meanwhile. */
void x(void) {
    acquire(0);
    fp_assert(!inside);
    inside = true;
    inside = false;
    release(0);
}

#ifndef LOCK_NUMBERS_THREADS
void fp_operations(void) { x(); }
#endif
#endif

static void *worker(void *argument) {
    int me = (int)(long)argument;
    for (int i = 0; i < ROUNDS; i++) {
        acquire(me);
        assert(!inside);
        inside = true;
        counter++;
        inside = false;
        release(me);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[CLIENT_THREADS];
    lock_init();
    for (long i = 0; i < CLIENT_THREADS; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < CLIENT_THREADS; i++) pthread_join(threads[i], NULL);
    assert(counter == CLIENT_THREADS * ROUNDS);
    printf("lock: %d threads, counter %d\n", CLIENT_THREADS, counter);
    return 0;
}
