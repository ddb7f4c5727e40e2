/* The lock-free list set (Herlihy and Shavit, The Art of Multiprocessor Programming, 9.8; after
   Michael, SPAA 2002): a node is removed by marking its next pointer, and every traversal
   unlinks the marked nodes it meets, one at a time. Looking a key up is wait-free. Nodes are
   never freed: a thread may still stand on one. */
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* A pointer to the next node; its lowest bit says that the node it stands in is removed. */
typedef uintptr_t link_t;

struct node {
    int key;
    _Atomic(link_t) next;
};

typedef struct {
    struct node *head;
} set_t;

static link_t link_to(struct node *node, bool removed) { return (link_t)node | removed; }
static bool is_removed(link_t link) { return link & 1; }
static struct node *target(link_t link) { return (struct node *)(link & ~(link_t)1); }

static link_t next_of(struct node *node) {
    return atomic_load_explicit(&node->next, memory_order_acquire);
}

static bool replace_next(struct node *node, link_t from, link_t to) {
    return atomic_compare_exchange_strong_explicit(&node->next, &from, to, memory_order_acq_rel,
                                                   memory_order_relaxed);
}

static struct node *new_node(int key, struct node *next) {
    struct node *node = malloc(sizeof *node);
    node->key = key;
    atomic_init(&node->next, link_to(next, false));
    return node;
}

static void set_init(set_t *set) {
    set->head = new_node(INT_MIN, new_node(INT_MAX, NULL));
}

/* One walk to the place of `key`, unlinking removed nodes; false if another thread was faster
   and the walk must start again. */
static bool walk(set_t *set, int key, struct node **before, struct node **at) {
    struct node *pred = set->head;
    struct node *curr = target(next_of(pred));
    for (;;) {
        link_t next = next_of(curr);
        while (is_removed(next)) {
            if (!replace_next(pred, link_to(curr, false), link_to(target(next), false)))
                return false;
            curr = target(next);
            next = next_of(curr);
        }
        if (curr->key >= key) {
            *before = pred;
            *at = curr;
            return true;
        }
        pred = curr;
        curr = target(next);
    }
}

static bool set_add(set_t *set, int key) {
    struct node *pred, *curr;
    for (;;) {
        if (!walk(set, key, &pred, &curr)) continue;
        if (curr->key == key) return false;
        struct node *node = new_node(key, curr);
        if (replace_next(pred, link_to(curr, false), link_to(node, false))) return true;
        free(node); /* nobody else has seen it */
    }
}

static bool set_remove(set_t *set, int key) {
    struct node *pred, *curr;
    for (;;) {
        if (!walk(set, key, &pred, &curr)) continue;
        if (curr->key != key) return false;
        link_t next = next_of(curr);
        if (is_removed(next)) continue;
        if (!replace_next(curr, next, link_to(target(next), true))) continue;
        replace_next(pred, link_to(curr, false), link_to(target(next), false));
        return true;
    }
}

static bool set_contains(set_t *set, int key) {
    struct node *curr = set->head;
    while (curr->key < key) curr = target(next_of(curr));
    return curr->key == key && !is_removed(next_of(curr));
}

#include "../clients/set.h"
