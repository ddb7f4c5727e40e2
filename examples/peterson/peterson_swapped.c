/* Peterson's algorithm with its first two stores in the wrong order: both threads can enter,
   even under sequential consistency. */
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#define CLIENT_THREADS 2

static atomic_bool wants[2];
static atomic_int turn;

static void lock_init(void) {}

static void acquire(int me) {
    int other = 1 - me;
    atomic_store(&turn, other);
    atomic_store(&wants[me], true);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other) sched_yield();
}

static void release(int me) {
    atomic_store(&wants[me], false);
}

#define LOCK_NUMBERS_THREADS
#include "../clients/lock.h"
