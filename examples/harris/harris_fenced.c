/* Harris's non-blocking list set (DISC 2001) as CheckFence (PLDI 2007) studied it: plain C in
   which every ordering there is comes from a fence. See harris.c for the idea. */
#include <checkfence.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *next; /* the lowest bit says: this node is removed */
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

static struct node *new_node(int key, struct node *next) {
    struct node *node = malloc(sizeof *node);
    node->key = key;
    node->next = next;
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
        struct node *left = set->head, *left_next = left->next;
        struct node *at = left, *next = left_next;
        do {
            if (!is_marked(next)) {
                left = at;
                left_next = next;
            }
            at = unmarked(next);
            if (at == set->tail) break;
            fence("load-load"); /* a node is not read before the pointer to it */
            next = at->next;
        } while (is_marked(next) || at->key < key);
        *right = at;
        if (left_next == at || cas(&left->next, left_next, at)) {
            /* Not for what clients see, but so that attempts come to an end: without it the next one
               may read again what was there before this one, as often as you like. */
            fence("load-load");
            if (at == set->tail || !is_marked(at->next)) return left;
        }
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
        node->next = right;
        fence("store-store"); /* the node is complete before it can be reached */
        if (cas(&left->next, right, node)) return true;
    }
}

static bool set_remove(set_t *set, int key) {
    for (;;) {
        struct node *right, *left = search(set, key, &right);
        if (right == set->tail || right->key != key) return false;
        struct node *next = right->next;
        if (is_marked(next) || !cas(&right->next, next, marked(next))) continue;
        fence("store-store"); /* marked before unlinked */
        if (!cas(&left->next, right, next)) search(set, key, &right);
        return true;
    }
}

static bool set_contains(set_t *set, int key) {
    struct node *right;
    search(set, key, &right);
    return right != set->tail && right->key == key;
}

#include "../clients/set.h"
