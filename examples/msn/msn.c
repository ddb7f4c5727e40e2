/* Michael and Scott's non-blocking queue (PODC 1996) in C11. Nodes are never freed: that would
   need hazard pointers or counted pointers (see ../hazard-pointers). */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

typedef struct {
    _Atomic(struct node *) head; /* a dummy: the node behind it holds the first value */
    _Atomic(struct node *) tail; /* the last node or, for a moment, the one before it */
} queue_t;

static struct node *new_node(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->next, NULL);
    return node;
}

static void queue_init(queue_t *queue) {
    struct node *dummy = new_node(0);
    atomic_init(&queue->head, dummy);
    atomic_init(&queue->tail, dummy);
}

static void advance(_Atomic(struct node *) *end, struct node *from, struct node *to) {
    atomic_compare_exchange_strong_explicit(end, &from, to, memory_order_release,
                                            memory_order_relaxed);
}

static void enqueue(queue_t *queue, int value) {
    struct node *node = new_node(value);
    for (;;) {
        struct node *tail = atomic_load_explicit(&queue->tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&tail->next, memory_order_acquire);
        if (next) {
            advance(&queue->tail, tail, next); /* help an enqueuer that is half done */
        } else if (atomic_compare_exchange_strong_explicit(
                       &tail->next, &next, node, memory_order_release, memory_order_relaxed)) {
            advance(&queue->tail, tail, node);
            return;
        }
    }
}

static bool dequeue(queue_t *queue, int *value) {
    for (;;) {
        struct node *head = atomic_load_explicit(&queue->head, memory_order_acquire);
        struct node *tail = atomic_load_explicit(&queue->tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&head->next, memory_order_acquire);
        if (head != atomic_load_explicit(&queue->head, memory_order_acquire)) continue;
        if (!next) return false;
        if (head == tail) {
            advance(&queue->tail, tail, next); /* the tail must not fall behind the head */
            continue;
        }
        *value = next->value;
        if (atomic_compare_exchange_strong_explicit(&queue->head, &head, next,
                                                    memory_order_acq_rel, memory_order_relaxed))
            return true;
    }
}

#include "../clients/queue.h"
