/* The spinlock of CheckFence (Burckhardt, Alur, Martin, PLDI 2007): an atomic load-store and
   partial fences. It is written out here; fencepost.h offers the same as lock_t. */
#include <checkfence.h>

enum { FREE, HELD };
static int the_lock;

static void lock_init(void) {
    the_lock = FREE;
}

static void acquire(int me) {
    int seen;
    (void)me;
    do {
        atomic {
            seen = the_lock;
            the_lock = HELD;
        }
    } while (seen != FREE);
    fence("load-load"); /* nothing of the critical section is read ... */
    fence("load-store"); /* ... or written before the lock was seen free */
}

static void release(int me) {
    (void)me;
    fence("load-store"); /* everything in the critical section is read ... */
    fence("store-store"); /* ... and written before the lock is free */
    atomic {
        fp_assert(the_lock != FREE);
        the_lock = FREE;
    }
}

#include "../clients/lock.h"
