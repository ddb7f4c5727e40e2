/* The queue lock of Mellor-Crummey and Scott (TOCS 1991) in C11: every waiter spins on a flag
   of its own, and the holder hands the lock to the one behind it. */
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define CLIENT_THREADS 3

struct waiter {
    _Atomic(struct waiter *) next;
    atomic_bool waiting;
};

static struct waiter waiters[CLIENT_THREADS];
static _Atomic(struct waiter *) tail;

static void lock_init(void) {
    atomic_init(&tail, NULL);
}

static void enter(struct waiter *mine) {
    atomic_store_explicit(&mine->next, NULL, memory_order_relaxed);
    struct waiter *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    if (!before) return;
    atomic_store_explicit(&before->next, mine, memory_order_release);
    atomic_store_explicit(&mine->waiting, true, memory_order_relaxed);
    while (atomic_load_explicit(&mine->waiting, memory_order_acquire)) sched_yield();
}

static void leave(struct waiter *mine) {
    struct waiter *next = atomic_load_explicit(&mine->next, memory_order_acquire);
    if (!next) {
        struct waiter *expected = mine;
        if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, memory_order_release,
                                                    memory_order_relaxed))
            return;
        /* Somebody has joined the queue and is about to say who it is. */
        while (!(next = atomic_load_explicit(&mine->next, memory_order_acquire))) sched_yield();
    }
    atomic_store_explicit(&next->waiting, false, memory_order_release);
}

static void acquire(int me) {
    enter(&waiters[me]);
}

static void release(int me) {
    leave(&waiters[me]);
}

#define LOCK_NUMBERS_THREADS
#include "../clients/lock.h"

#ifdef __FENCEPOST__
/* For any number of threads, each of which brings a waiter of its own. */
void y(void) {
    struct waiter mine;
    enter(&mine);
    fp_assert(!inside);
    inside = true;
    inside = false;
    leave(&mine);
}

void fp_operations(void) { y(); }
#endif
