/* Peterson's algorithm for two threads (IPL 1981) in C11. The fence between announcing one's
   wish and looking at the other's is enough on sc, tso, pso, rmo, alpha, relaxed, armv7, armv8 and
   riscv. It is not on power, rc11 and imm: there a release store orders nothing for somebody who
   only overwrites it, so that the order of the two stores to `turn` says nothing about the stores
   to `wants` before them. A second fence between these two stores helps. */
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#define CLIENT_THREADS 2

static atomic_bool wants[2];
static atomic_int turn;

static void lock_init(void) {}

static void acquire(int me) {
    int other = 1 - me;
    atomic_store_explicit(&wants[me], true, memory_order_relaxed);
    atomic_store_explicit(&turn, other, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load_explicit(&wants[other], memory_order_acquire)
           && atomic_load_explicit(&turn, memory_order_acquire) == other)
        sched_yield();
}

static void release(int me) {
    atomic_store_explicit(&wants[me], false, memory_order_release);
}

#define LOCK_NUMBERS_THREADS
#include "../clients/lock.h"
