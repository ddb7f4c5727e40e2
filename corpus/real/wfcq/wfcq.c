#include <stddef.h>
#include "wfcq.h"

#define WFCQ_ADAPT_ATTEMPTS 10

unsigned long wfcq_attempts;

void wfcq_init(struct wfcq_head *head, struct wfcq_tail *tail) {
    wfcq_node_init(&head->node);
    tail->p = &head->node;
}

static inline bool append(struct wfcq_tail *tail, struct wfcq_node *new_head,
                          struct wfcq_node *new_tail) {
    struct wfcq_node *old_tail = uatomic_xchg(&tail->p, new_tail);
    publish(old_tail->next, new_head);
    return old_tail != NULL;
}

bool wfcq_enqueue(wfcq_head_ptr_t u_head, struct wfcq_tail *tail, struct wfcq_node *new_tail) {
    (void)u_head;
    return append(tail, new_tail, new_tail);
}

static inline bool is_empty(struct wfcq_head *head, struct wfcq_tail *tail) {
    return consume(head->node.next) == NULL && CMM_LOAD_SHARED(tail->p) == &head->node;
}

/* Waits until the producer that has exchanged the tail has linked its node. */
static inline struct wfcq_node *sync_next(struct wfcq_node *node) {
    struct wfcq_node *next;
    int attempt = 0;
    while ((next = consume(node->next)) == NULL) {
        if (++attempt >= WFCQ_ADAPT_ATTEMPTS) {
            attempt = 0;
            wfcq_attempts++;
        } else {
            caa_cpu_relax();
        }
    }
    return next;
}

struct wfcq_node *wfcq_dequeue_blocking_state(wfcq_head_ptr_t u_head, struct wfcq_tail *tail,
                                              int *state) {
    struct wfcq_head *head = u_head._h;
    struct wfcq_node *node, *next;
    if (state) *state = 0;
    if (is_empty(head, tail)) return NULL;
    node = sync_next(&head->node);
    if ((next = consume(node->next)) == NULL) {
        wfcq_node_init(&head->node);
        struct wfcq_node *expected = node;
        if (__atomic_compare_exchange_n(&tail->p, &expected, &head->node, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST)) {
            if (state) *state |= WFCQ_STATE_LAST;
            return node;
        }
        next = sync_next(node);
    }
    head->node.next = next;
    return node;
}
