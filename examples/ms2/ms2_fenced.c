/* Michael and Scott's two-lock queue (PODC 1996) as CheckFence (PLDI 2007) studied it: plain C
   in which every ordering there is comes from a fence.

   The commit points are where the link between the two ends is written and read (CAV 2006).
   Define COMMIT_AT_HEAD to have the wrong guess of that paper, one load earlier: a dequeue that
   has read the head can still take what is enqueued afterwards. */
#include <checkfence.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

typedef struct {
    struct node *head; /* a dummy: the node behind it holds the first value */
    struct node *tail;
    lock_t head_lock;
    lock_t tail_lock;
} queue_t;

static void queue_init(queue_t *queue) {
    struct node *dummy = malloc(sizeof *dummy);
    dummy->next = NULL;
    queue->head = queue->tail = dummy;
    init_lock(&queue->head_lock);
    init_lock(&queue->tail_lock);
}

static void enqueue(queue_t *queue, int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = NULL;
    lock(&queue->tail_lock);
    fence("store-store"); /* the node is complete before it can be reached */
    queue->tail->next = node;
    fp_commit("enqueue");
    queue->tail = node;
    unlock(&queue->tail_lock);
}

static bool dequeue(queue_t *queue, int *value) {
    lock(&queue->head_lock);
    struct node *dummy = queue->head;
#ifdef COMMIT_AT_HEAD
    fp_commit("dequeue");
#endif
    struct node *first = dummy->next;
#ifndef COMMIT_AT_HEAD
    fp_commit("dequeue");
#endif
    if (first == NULL) {
        unlock(&queue->head_lock);
        return false;
    }
    fence("load-load"); /* the value is not read before the pointer to its node */
    *value = first->value;
    queue->head = first;
    unlock(&queue->head_lock);
    free(dummy);
    return true;
}

#include "../clients/queue.h"
