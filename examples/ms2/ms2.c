/* Michael and Scott's two-lock queue (PODC 1996) in C11. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

typedef struct {
    struct node *head; /* a dummy: the node behind it holds the first value */
    struct node *tail;
    pthread_mutex_t head_lock;
    pthread_mutex_t tail_lock;
} queue_t;

static struct node *new_node(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->next, NULL);
    return node;
}

static void queue_init(queue_t *queue) {
    queue->head = queue->tail = new_node(0);
    pthread_mutex_init(&queue->head_lock, NULL);
    pthread_mutex_init(&queue->tail_lock, NULL);
}

static void enqueue(queue_t *queue, int value) {
    struct node *node = new_node(value);
    pthread_mutex_lock(&queue->tail_lock);
    /* A dequeuer may be looking at this field: it does not hold the tail lock. */
    atomic_store_explicit(&queue->tail->next, node, memory_order_release);
    queue->tail = node;
    pthread_mutex_unlock(&queue->tail_lock);
}

static bool dequeue(queue_t *queue, int *value) {
    pthread_mutex_lock(&queue->head_lock);
    struct node *dummy = queue->head;
    struct node *first = atomic_load_explicit(&dummy->next, memory_order_acquire);
    if (!first) {
        pthread_mutex_unlock(&queue->head_lock);
        return false;
    }
    *value = first->value;
    queue->head = first;
    pthread_mutex_unlock(&queue->head_lock);
    free(dummy);
    return true;
}

#include "../clients/queue.h"
