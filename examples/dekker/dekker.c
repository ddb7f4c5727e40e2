/* Dekker's algorithm for two threads (Dijkstra, EWD 35, about 1962) in C11, with all accesses
   sequentially consistent: the first solution of mutual exclusion with loads and stores. */
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#define CLIENT_THREADS 2

static atomic_bool wants[2];
static atomic_int turn;

static void lock_init(void) {}

static void acquire(int me) {
    int other = 1 - me;
    atomic_store(&wants[me], true);
    while (atomic_load(&wants[other])) {
        if (atomic_load(&turn) == me) {
            sched_yield();
            continue;
        }
        atomic_store(&wants[me], false); /* step back until it is my turn */
        while (atomic_load(&turn) != me) sched_yield();
        atomic_store(&wants[me], true);
    }
}

static void release(int me) {
    atomic_store(&turn, 1 - me);
    atomic_store(&wants[me], false);
}

#define LOCK_NUMBERS_THREADS
#include "../clients/lock.h"
