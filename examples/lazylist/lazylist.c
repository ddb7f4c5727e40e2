/* The lazy list-based set of Heller, Herlihy, Luchangco, Moir, Scherer and Shavit (OPODIS 2005)
   in C11. Removed nodes are never freed: a thread without a lock may still stand on one. */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
    int key;
    atomic_bool marked; /* removed from the set, though perhaps not yet from the list */
    _Atomic(struct node *) next;
    pthread_mutex_t lock;
};

typedef struct {
    struct node *head; /* a sentinel with the least key; one with the greatest ends the list */
} set_t;

static struct node *new_node(int key, struct node *next) {
    struct node *node = malloc(sizeof *node);
    node->key = key;
    atomic_init(&node->marked, false);
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

static bool is_marked(struct node *node) {
    return atomic_load_explicit(&node->marked, memory_order_acquire);
}

/* Locks the nodes before and at the place of `key`, once both are in the list and adjacent. */
static void locate(set_t *set, int key, struct node **before, struct node **at) {
    for (;;) {
        struct node *pred = set->head;
        struct node *curr = next_of(pred);
        while (curr->key < key) {
            pred = curr;
            curr = next_of(curr);
        }
        pthread_mutex_lock(&pred->lock);
        pthread_mutex_lock(&curr->lock);
        *before = pred;
        *at = curr;
        if (!is_marked(pred) && !is_marked(curr) && next_of(pred) == curr) return;
        pthread_mutex_unlock(&curr->lock);
        pthread_mutex_unlock(&pred->lock);
    }
}

static bool set_add(set_t *set, int key) {
    struct node *pred, *curr;
    locate(set, key, &pred, &curr);
    bool absent = curr->key != key;
    if (absent)
        atomic_store_explicit(&pred->next, new_node(key, curr), memory_order_release);
    pthread_mutex_unlock(&curr->lock);
    pthread_mutex_unlock(&pred->lock);
    return absent;
}

static bool set_remove(set_t *set, int key) {
    struct node *pred, *curr;
    locate(set, key, &pred, &curr);
    bool present = curr->key == key;
    if (present) {
        atomic_store_explicit(&curr->marked, true, memory_order_release);
        atomic_store_explicit(&pred->next, next_of(curr), memory_order_release);
    }
    pthread_mutex_unlock(&curr->lock);
    pthread_mutex_unlock(&pred->lock);
    return present;
}

static bool set_contains(set_t *set, int key) {
    struct node *curr = set->head;
    while (curr->key < key) curr = next_of(curr);
    return curr->key == key && !is_marked(curr);
}

#include "../clients/set.h"
