/* A counter modulo three whose additions are published as descriptors and completed by whichever
   thread comes by first, after the universal construction with announcements (M. Herlihy, "Wait-free
   synchronization", TOPLAS 1991). Blocks are never freed, which is what makes a comparison of
   pointers enough. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include "../clients/operations.h"

struct operation {
    int amount;
    atomic_int before; /* its result, once it is complete */
};

struct state {
    int value;
    int before;             /* the value that the last operation found */
    struct operation *last; /* the operation that led here */
};

static _Atomic(struct state *) current;
static _Atomic(struct operation *) announced;

static void counter_init(void) {
    struct state *first = malloc(sizeof *first);
    first->value = 0;
    first->before = 0;
    first->last = NULL;
    atomic_init(&current, first);
    atomic_init(&announced, NULL);
}

/* Completes an operation that was announced, if no thread has done it yet. */
static void complete(struct operation *op) {
    struct state *state = atomic_load(&current);
    if (state->last != op) {
        /* It may be complete already, and others after it. */
        if (atomic_load(&announced) != op) return;
        struct state *next = malloc(sizeof *next);
        next->value = (state->value + op->amount) % 3;
        next->before = state->value;
        next->last = op;
        if (atomic_compare_exchange_strong(&current, &state, next)) state = next;
        if (state->last != op) return;
    }
    atomic_store(&op->before, state->before);
    atomic_compare_exchange_strong(&announced, &op, NULL);
}

/* Adds, and says what the value was. */
static int add(int amount) {
    struct operation *op = malloc(sizeof *op);
    op->amount = amount;
    atomic_init(&op->before, -1);
    for (;;) {
        struct operation *other = atomic_load(&announced);
        if (other) {
            complete(other);
        } else if (atomic_compare_exchange_strong(&announced, &other, op)) {
            complete(op);
            return atomic_load(&op->before);
        }
    }
}

/* Reads, without helping. */
static int get(void) {
    return atomic_load(&current)->value;
}

#ifdef __FENCEPOST__
/* The operations of tests: add and get. */
void init(void) { counter_init(); }

void a(void) {
    int amount = fp_choose(1, 2);
    fp_observe("amount", amount);
    fp_observe("before", add(amount));
}

void g(void) {
    fp_observe("value", get());
}
#endif

#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static void *worker(void *argument) {
    for (int i = 0; i < 2; i++) {
        int before = add(1);
        assert(before >= 0 && before < 3);
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    counter_init();
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(get() == 4 % 3);
    printf("counter: %d\n", get());
    return 0;
}
