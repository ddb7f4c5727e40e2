/* The ring of PostgreSQL processes that wake each other through latches, in which a missing
   fence let a wakeup get lost on Power (Alglave, Kroening, Nimal, Tautschnig, ESOP 2013).
   Each worker waits for its latch, resets it, and passes the token on if it was given to it.
   A worker makes ROUNDS turns here, so that the program ends. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

#ifndef BARRIER
#define BARRIER() ((void)0)
#endif

enum { WORKERS = 3, ROUNDS = 2 };

static volatile bool latch[WORKERS];
static volatile bool flag[WORKERS];
static int turns[WORKERS];

static void wait_for_latch(int me) {
    while (!latch[me]) sched_yield();
    BARRIER();
}

static void *worker(void *argument) {
    int me = (int)(long)argument;
    int next = (me + 1) % WORKERS;
    for (int i = 0; i < ROUNDS; i++) {
        wait_for_latch(me);
        assert(!latch[me] || flag[me]); /* woken with work to do */
        latch[me] = false;
        BARRIER();
        if (flag[me]) {
            flag[me] = false;
            turns[me]++;
            flag[next] = true;
            BARRIER();
            latch[next] = true;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[WORKERS];
    flag[0] = true;
    latch[0] = true;
    for (long i = 0; i < WORKERS; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < WORKERS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < WORKERS; i++) assert(turns[i] == ROUNDS);
    printf("latch: the token went round %d times\n", ROUNDS);
    return 0;
}
