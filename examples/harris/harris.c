/* Harris's non-blocking list set (DISC 2001) in C11. A node is removed in two steps: its own
   next pointer is marked in the lowest bit, so that nothing can be linked behind it, and then
   it is unlinked, perhaps together with marked neighbours, by whoever comes by. Nodes are never
   freed: a thread may still stand on one. */
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int key;
    _Atomic(struct node *) next; /* the lowest bit says: this node is removed */
};

typedef struct {
    struct node *head;
    struct node *tail;
} set_t;

static bool is_marked(struct node *pointer) { return (uintptr_t)pointer & 1; }
static struct node *marked(struct node *pointer) {
    return (struct node *)((uintptr_t)pointer | 1);
}
static struct node *unmarked(struct node *pointer) {
    return (struct node *)((uintptr_t)pointer & ~(uintptr_t)1);
}

static struct node *next_of(struct node *node) {
    return atomic_load_explicit(&node->next, memory_order_acquire);
}

static bool replace_next(struct node *node, struct node *from, struct node *to) {
    return atomic_compare_exchange_strong_explicit(&node->next, &from, to, memory_order_acq_rel,
                                                   memory_order_relaxed);
}

static struct node *new_node(int key, struct node *next) {
    struct node *node = malloc(sizeof *node);
    node->key = key;
    atomic_init(&node->next, next);
    return node;
}

static void set_init(set_t *set) {
    set->tail = new_node(INT_MAX, NULL);
    set->head = new_node(INT_MIN, set->tail);
}

/* Adjacent unmarked nodes: the last with a smaller key, which is the result, and the first with
   no smaller key. Marked nodes between them are unlinked. */
static struct node *search(set_t *set, int key, struct node **right) {
    for (;;) {
        struct node *left = set->head, *left_next = next_of(left);
        struct node *at = left, *next = left_next;
        do {
            if (!is_marked(next)) {
                left = at;
                left_next = next;
            }
            at = unmarked(next);
            if (at == set->tail) break;
            next = next_of(at);
        } while (is_marked(next) || at->key < key);
        *right = at;
        if (left_next == at || replace_next(left, left_next, at))
            if (at == set->tail || !is_marked(next_of(at))) return left;
    }
}

static bool set_add(set_t *set, int key) {
    struct node *node = new_node(key, NULL);
    for (;;) {
        struct node *right, *left = search(set, key, &right);
        if (right != set->tail && right->key == key) {
            free(node); /* nobody else has seen it */
            return false;
        }
        atomic_store_explicit(&node->next, right, memory_order_relaxed);
        if (replace_next(left, right, node)) return true;
    }
}

static bool set_remove(set_t *set, int key) {
    for (;;) {
        struct node *right, *left = search(set, key, &right);
        if (right == set->tail || right->key != key) return false;
        struct node *next = next_of(right);
        if (is_marked(next) || !replace_next(right, next, marked(next))) continue;
        if (!replace_next(left, right, next)) search(set, key, &right);
        return true;
    }
}

static bool set_contains(set_t *set, int key) {
    struct node *right;
    search(set, key, &right);
    return right != set->tail && right->key == key;
}

#include "../clients/set.h"
