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

/* Gives the node of the one before, for which no thread waits any more. */
static struct node *enter(struct node *mine) {
    atomic_store_explicit(&mine->busy, true, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    while (atomic_load_explicit(&before->busy, memory_order_acquire)) sched_yield();
    return before;
}

static void leave(struct node *mine) {
    atomic_store_explicit(&mine->busy, false, memory_order_release);
}

static void acquire(int me) {
    before[me] = enter(mine[me]);
}

static void release(int me) {
    struct node *given = mine[me];
    mine[me] = before[me];
    leave(given);
}

#define LOCK_NUMBERS_THREADS
#include "../clients/lock.h"

#ifdef __FENCEPOST__
#include <stdlib.h>

/* For any number of threads, each of which brings a node. That of the one before is free then,
   unless it is the one that was there at first. */
void y(void) {
    struct node *mine = malloc(sizeof *mine);
    struct node *before = enter(mine);
    fp_assert(!inside);
    inside = true;
    inside = false;
    leave(mine);
    if (before != &nodes[CLIENT_THREADS]) free(before);
}

void fp_operations(void) { y(); }
#endif
