/* Michael and Scott's non-blocking queue (PODC 1996) as CheckFence (PLDI 2007) studied it:
   plain C in which every ordering there is comes from a fence. Nodes are never freed.

   An operation takes effect at the last commit point that it passes. A dequeue that finds the
   queue empty may commit where it reads `next` or, with COMMIT_AT_TAIL, one load earlier: while
   `head` stays what it was and has no next node, the queue is empty. */
#include <checkfence.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

typedef struct {
    struct node *head; /* a dummy: the node behind it holds the first value */
    struct node *tail; /* the last node or, for a moment, the one before it */
} queue_t;

static void queue_init(queue_t *queue) {
    struct node *dummy = malloc(sizeof *dummy);
    dummy->next = NULL;
    queue->head = queue->tail = dummy;
}

static void enqueue(queue_t *queue, int value) {
    struct node *node = malloc(sizeof *node);
    struct node *tail, *next;
    node->value = value;
    node->next = NULL;
    fence("store-store"); /* the node is complete before it can be reached */
    for (;;) {
        tail = queue->tail;
        fence("load-load");
        next = tail->next;
        fence("load-load");
        if (tail != queue->tail) continue;
        if (next != NULL) {
            cas(&queue->tail, tail, next);
        } else if (cas(&tail->next, next, node)) {
            fp_commit("enqueue");
            break;
        }
    }
    fence("store-store"); /* the tail moves after the node is linked */
    cas(&queue->tail, tail, node);
}

static bool dequeue(queue_t *queue, int *value) {
    for (;;) {
        struct node *head = queue->head;
        fence("load-load");
        struct node *tail = queue->tail;
#ifdef COMMIT_AT_TAIL
        fp_commit("dequeue");
#endif
        fence("load-load");
        struct node *next = head->next;
#ifndef COMMIT_AT_TAIL
        fp_commit("dequeue");
#endif
        fence("load-load");
        if (head != queue->head) continue;
        if (head == tail) {
            if (next == NULL) return false;
            cas(&queue->tail, tail, next);
        } else {
            *value = next->value;
            if (cas(&queue->head, head, next)) {
                fp_commit("dequeue");
                return true;
            }
        }
    }
}

#include "../clients/queue.h"
