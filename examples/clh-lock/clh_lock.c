/* The queue lock of Craig (1993) and of Landin and Hagersten (1994) in C11: a thread spins on
   the node of the one before it, and takes that node over for its next turn. */
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#define CLIENT_THREADS 3

struct node {
    atomic_bool busy;
};

static struct node nodes[CLIENT_THREADS + 1];
static struct node *mine[CLIENT_THREADS];
static struct node *before[CLIENT_THREADS];
static _Atomic(struct node *) tail;

static void lock_init(void) {
    for (int i = 0; i < CLIENT_THREADS; i++) mine[i] = &nodes[i];
    atomic_init(&tail, &nodes[CLIENT_THREADS]);
}

static void acquire(int me) {
    atomic_store_explicit(&mine[me]->busy, true, memory_order_relaxed);
    before[me] = atomic_exchange_explicit(&tail, mine[me], memory_order_acq_rel);
    while (atomic_load_explicit(&before[me]->busy, memory_order_acquire)) sched_yield();
}

static void release(int me) {
    struct node *given = mine[me];
    mine[me] = before[me];
    atomic_store_explicit(&given->busy, false, memory_order_release);
}

#include "../clients/lock.h"
