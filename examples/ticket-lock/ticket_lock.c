/* The ticket lock (Mellor-Crummey and Scott, TOCS 1991) in C11: first come, first served. */
#include <sched.h>
#include <stdatomic.h>

static atomic_uint next_ticket;
static atomic_uint now_serving;

static void lock_init(void) {
    atomic_init(&next_ticket, 0);
    atomic_init(&now_serving, 0);
}

static void acquire(int me) {
    (void)me;
    unsigned ticket = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&now_serving, memory_order_acquire) != ticket) sched_yield();
}

static void release(int me) {
    (void)me;
    unsigned mine = atomic_load_explicit(&now_serving, memory_order_relaxed);
    atomic_store_explicit(&now_serving, mine + 1, memory_order_release);
}

#include "../clients/lock.h"
