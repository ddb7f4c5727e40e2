/* Treiber's stack with hazard pointers (Michael, IEEE TPDS 2004) in C11: a thread announces the
   node it is about to read, and a popped node is freed only when nobody has announced it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "../clients/operations.h"

enum { THREADS = 2, EACH = 2, VALUES = THREADS * EACH };

struct node {
    int value;
    struct node *next;
    struct node *next_retired;
};

static _Atomic(struct node *) top;
static _Atomic(struct node *) hazard[THREADS + 1];
static struct node *retired[THREADS + 1];

static bool is_announced(struct node *node) {
    for (int i = 0; i <= THREADS; i++)
        if (atomic_load(&hazard[i]) == node) return true;
    return false;
}

/* Frees every retired node of this thread that nobody is looking at. */
static void scan(int me) {
    struct node **at = &retired[me];
    while (*at) {
        struct node *node = *at;
        if (is_announced(node)) {
            at = &node->next_retired;
        } else {
            *at = node->next_retired;
            free(node);
        }
    }
}

static void retire(int me, struct node *node) {
    node->next_retired = retired[me];
    retired[me] = node;
    scan(me);
}

static void push(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &node->next, node, memory_order_release,
                                                  memory_order_relaxed)) {}
}

/* The top, announced: it was still the top after the announcement, so it will not be freed. */
static struct node *protect_top(int me) {
    for (;;) {
        struct node *node = atomic_load(&top);
        atomic_store(&hazard[me], node);
        if (atomic_load(&top) == node) return node;
    }
}

static bool pop(int me, int *value) {
    struct node *node;
    while ((node = protect_top(me))) {
        struct node *expected = node;
        if (!atomic_compare_exchange_strong(&top, &expected, node->next)) continue;
        atomic_store(&hazard[me], NULL);
        *value = node->value;
        retire(me, node);
        return true;
    }
    return false;
}

static int times_taken[THREADS + 1][VALUES];

static void client_push(int value) {
    fp_operation_begin("push", value);
    push(value);
    fp_operation_end();
}

static bool client_pop(int me) {
    int value = -1;
    fp_operation_begin("pop");
    bool got = pop(me, &value);
    fp_operation_end(value);
    if (got) times_taken[me][value]++;
    return got;
}

static void *worker(void *argument) {
    int me = (int)(long)argument;
    for (int i = 0; i < EACH; i++) {
        client_push(me * EACH + i);
        client_pop(me);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    while (client_pop(THREADS)) {}
    for (int value = 0; value < VALUES; value++) {
        int times = 0;
        for (int i = 0; i <= THREADS; i++) times += times_taken[i][value];
        assert(times == 1);
    }
    for (int i = 0; i <= THREADS; i++) {
        scan(i);
        assert(!retired[i]);
    }
    printf("stack: %d values, each taken once, every node freed\n", VALUES);
    return 0;
}
