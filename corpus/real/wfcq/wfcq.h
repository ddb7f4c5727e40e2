/* A queue with wait-free enqueueing and blocking dequeueing: a head that consumers own, a tail that
   producers exchange (the interface of liburcu's wfcqueue, in other words). */
#ifndef WFCQ_H
#define WFCQ_H

#include <stdbool.h>
#include <stddef.h>
#include "system.h"

struct wfcq_node {
    struct wfcq_node *next;
};

struct wfcq_head {
    struct wfcq_node node;
};

struct wfcq_tail {
    struct wfcq_node *p;
};

typedef union {
    struct wfcq_head *_h;
} __attribute__((__transparent_union__)) wfcq_head_ptr_t;

enum wfcq_state { WFCQ_STATE_LAST = (1U << 0) };

extern void wfcq_init(struct wfcq_head *head, struct wfcq_tail *tail);
extern bool wfcq_enqueue(wfcq_head_ptr_t head, struct wfcq_tail *tail, struct wfcq_node *node);
extern struct wfcq_node *wfcq_dequeue_blocking_state(wfcq_head_ptr_t head, struct wfcq_tail *tail,
                                                     int *state);
extern unsigned long wfcq_attempts;

static inline struct wfcq_node *wfcq_dequeue_blocking(wfcq_head_ptr_t head, struct wfcq_tail *tail) {
    return wfcq_dequeue_blocking_state(head, tail, NULL);
}

static inline void wfcq_node_init(struct wfcq_node *node) { node->next = NULL; }

#endif
