/* The lazy list-based set (Heller and others, OPODIS 2005) as CheckFence (PLDI 2007) studied
   it: plain C in which every ordering there is comes from a fence. Nodes are never freed.

   Nothing needs to stand between the load of `set->head` and the first node: neither the pointer
   nor the key of that node ever changes. Nor between the two stores of a removal: whichever takes
   effect first is where the key is gone. A lookup that still finds the node unmarked began, and
   counts, before the node was unlinked; everybody else needs its lock, which comes after both.

   The published pseudocode forgets to initialise `marked` in a new node, as CheckFence found;
   define AS_PUBLISHED to have it that way. */
#include <checkfence.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
    int key;
    bool marked; /* removed from the set, though perhaps not yet from the list */
    struct node *next;
    lock_t lock;
};

typedef struct {
    struct node *head; /* a sentinel with the least key; one with the greatest ends the list */
} set_t;

static struct node *new_node(int key, struct node *next) {
    struct node *node = malloc(sizeof *node);
    node->key = key;
    node->next = next;
#ifndef AS_PUBLISHED
    node->marked = false;
#endif
    init_lock(&node->lock);
    return node;
}

static void set_init(set_t *set) {
    struct node *tail = new_node(INT_MAX, NULL);
    struct node *head = new_node(INT_MIN, tail);
    head->marked = tail->marked = false;
    set->head = head;
}

/* Locks the nodes before and at the place of `key`, once both are in the list and adjacent. */
static void locate(set_t *set, int key, struct node **before, struct node **at) {
    for (;;) {
        struct node *pred = set->head;
        struct node *curr = pred->next;
        fence("load-load"); /* a node is not read before the pointer to it */
        while (curr->key < key) {
            pred = curr;
            curr = curr->next;
            fence("load-load");
        }
        lock(&pred->lock);
        lock(&curr->lock);
        *before = pred;
        *at = curr;
        if (!pred->marked && !curr->marked && pred->next == curr) return;
        unlock(&curr->lock);
        unlock(&pred->lock);
    }
}

static bool set_add(set_t *set, int key) {
    struct node *pred, *curr;
    locate(set, key, &pred, &curr);
    bool absent = curr->key != key;
    if (absent) {
        struct node *node = new_node(key, curr);
        fence("store-store"); /* the node is complete before it can be reached */
        pred->next = node;
    }
    unlock(&curr->lock);
    unlock(&pred->lock);
    return absent;
}

static bool set_remove(set_t *set, int key) {
    struct node *pred, *curr;
    locate(set, key, &pred, &curr);
    bool present = curr->key == key;
    if (present) {
        curr->marked = true;
        pred->next = curr->next;
    }
    unlock(&curr->lock);
    unlock(&pred->lock);
    return present;
}

static bool set_contains(set_t *set, int key) {
    struct node *curr = set->head;
    while (curr->key < key) {
        curr = curr->next;
        fence("load-load");
    }
    return curr->key == key && !curr->marked;
}

#include "../clients/set.h"
