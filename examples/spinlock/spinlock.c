/* A test-and-test-and-set spinlock on compare-and-swap (Rudolph and Segall, ISCA 1984), C11. */
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool held;

static void lock_init(void) {
    atomic_init(&held, false);
}

static void acquire(int me) {
    (void)me;
    for (;;) {
        bool expected = false;
        if (atomic_compare_exchange_weak_explicit(&held, &expected, true, memory_order_acquire,
                                                  memory_order_relaxed))
            return;
        while (atomic_load_explicit(&held, memory_order_relaxed)) sched_yield();
    }
}

static void release(int me) {
    (void)me;
    atomic_store_explicit(&held, false, memory_order_release);
}

#include "../clients/lock.h"
