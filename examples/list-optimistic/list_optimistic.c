/* The optimistic list set (Herlihy and Shavit, The Art of Multiprocessor Programming, 9.6):
   find the place without locks, lock it, and walk again to see that it is still in the list.
   Removed nodes are never freed: a thread without a lock may still stand on one. */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
    int key;
    _Atomic(struct node *) next;
    pthread_mutex_t lock;
};

typedef struct {
    struct node *head;
} set_t;

static struct node *new_node(int key, struct node *next) {
    struct node *node = malloc(sizeof *node);
    node->key = key;
    atomic_init(&node->next, next);
    pthread_mutex_init(&node->lock, NULL);
    return node;
}

static void set_init(set_t *set) {
    set->head = new_node(INT_MIN, new_node(INT_MAX, NULL));
}

static struct node *next_of(struct node *node) {
    return atomic_load_explicit(&node->next, memory_order_acquire);
}

static bool still_adjacent(set_t *set, struct node *pred, struct node *curr) {
    struct node *node = set->head;
    while (node->key < pred->key) node = next_of(node);
    return node == pred && next_of(pred) == curr;
}

static void leave(struct node *pred, struct node *curr) {
    pthread_mutex_unlock(&curr->lock);
    pthread_mutex_unlock(&pred->lock);
}

/* Returns with the node before the place of `key` and the one at it both locked. */
static struct node *locate(set_t *set, int key, struct node **at) {
    for (;;) {
        struct node *pred = set->head;
        struct node *curr = next_of(pred);
        while (curr->key < key) {
            pred = curr;
            curr = next_of(curr);
        }
        pthread_mutex_lock(&pred->lock);
        pthread_mutex_lock(&curr->lock);
        *at = curr;
        if (still_adjacent(set, pred, curr)) return pred;
        leave(pred, curr);
    }
}

static bool set_add(set_t *set, int key) {
    struct node *curr, *pred = locate(set, key, &curr);
    bool absent = curr->key != key;
    if (absent)
        atomic_store_explicit(&pred->next, new_node(key, curr), memory_order_release);
    leave(pred, curr);
    return absent;
}

static bool set_remove(set_t *set, int key) {
    struct node *curr, *pred = locate(set, key, &curr);
    bool present = curr->key == key;
    if (present) atomic_store_explicit(&pred->next, next_of(curr), memory_order_release);
    leave(pred, curr);
    return present;
}

static bool set_contains(set_t *set, int key) {
    struct node *curr, *pred = locate(set, key, &curr);
    bool present = curr->key == key;
    leave(pred, curr);
    return present;
}

#include "../clients/set.h"
