/* The fine-grained list set (Herlihy and Shavit, The Art of Multiprocessor Programming, 9.5):
   a traversal locks hand over hand, taking a node's lock before letting the one before it go. */
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
    pthread_mutex_t lock;
};

typedef struct {
    struct node *head;
} set_t;

static struct node *new_node(int key, struct node *next) {
    struct node *node = malloc(sizeof *node);
    node->key = key;
    node->next = next;
    pthread_mutex_init(&node->lock, NULL);
    return node;
}

static void set_init(set_t *set) {
    set->head = new_node(INT_MIN, new_node(INT_MAX, NULL));
}

/* Returns with the node before the place of `key` and the one at it both locked. */
static struct node *locate(set_t *set, int key, struct node **at) {
    struct node *pred = set->head;
    pthread_mutex_lock(&pred->lock);
    struct node *curr = pred->next;
    pthread_mutex_lock(&curr->lock);
    while (curr->key < key) {
        pthread_mutex_unlock(&pred->lock);
        pred = curr;
        curr = curr->next;
        pthread_mutex_lock(&curr->lock);
    }
    *at = curr;
    return pred;
}

static void leave(struct node *pred, struct node *curr) {
    pthread_mutex_unlock(&curr->lock);
    pthread_mutex_unlock(&pred->lock);
}

static bool set_add(set_t *set, int key) {
    struct node *curr, *pred = locate(set, key, &curr);
    bool absent = curr->key != key;
    if (absent) pred->next = new_node(key, curr);
    leave(pred, curr);
    return absent;
}

static bool set_remove(set_t *set, int key) {
    struct node *curr, *pred = locate(set, key, &curr);
    bool present = curr->key == key;
    if (present) pred->next = curr->next;
    leave(pred, curr);
    /* Whoever wants the node's lock holds its predecessor's: nobody can be waiting for it. */
    if (present) free(curr);
    return present;
}

static bool set_contains(set_t *set, int key) {
    struct node *curr, *pred = locate(set, key, &curr);
    bool present = curr->key == key;
    leave(pred, curr);
    return present;
}

#include "../clients/set.h"
