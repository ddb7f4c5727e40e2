/* The Snark deque (Detlefs, Flood, Garthwaite, Martin, Shavit, Steele, DISC 2000) in the dialect
   of CheckFence, which studied it: plain C with fences and a double compare-and-swap.

   The two hats point to the outermost nodes. A node that was popped from a side points to itself
   on the other one, which is how an end of the deque is recognised. Nodes are never freed: the
   algorithm was written for garbage collection.

   As published it has two bugs, which Doherty, Detlefs, Groves, Flood, Luchangco, Martin, Moir,
   Shavit and Steele (SPAA 2004) found in an attempt to prove it: a pop may say "empty" about a
   deque that never was, and the same value may be popped at both ends. With EMPTY_CORRECTED
   defined, an empty end is looked at again; with DOUBLE_CORRECTED, a value is claimed before it
   is returned, as they did; CORRECTED is both. */
#ifdef CORRECTED
#define EMPTY_CORRECTED
#define DOUBLE_CORRECTED
#endif
#include <checkfence.h>
#include <stdbool.h>
#include <stdlib.h>

enum { EMPTY = -1, CLAIMED = -2 };

struct node {
    struct node *left;
    struct node *right;
    int value;
};

static struct node dummy = { &dummy, &dummy, EMPTY };
static struct node *left_hat = &dummy;
static struct node *right_hat = &dummy;

static void deque_init(void) {
    left_hat = right_hat = &dummy;
}

static void push_right(int value) {
    struct node *node = malloc(sizeof *node);
    node->right = &dummy;
    node->value = value;
    for (;;) {
        struct node *hat = right_hat;
        fence("load-load");
        struct node *beyond = hat->right;
        if (beyond == hat) {
            node->left = &dummy;
            struct node *other_hat = left_hat;
            fence("store-store"); /* the node is complete before it can be reached */
            if (dcas(&right_hat, &left_hat, hat, other_hat, node, node)) return;
        } else {
            node->left = hat;
            fence("store-store");
            if (dcas(&right_hat, &hat->right, hat, beyond, node, node)) return;
        }
    }
}

static void push_left(int value) {
    struct node *node = malloc(sizeof *node);
    node->left = &dummy;
    node->value = value;
    for (;;) {
        struct node *hat = left_hat;
        fence("load-load");
        struct node *beyond = hat->left;
        if (beyond == hat) {
            node->right = &dummy;
            struct node *other_hat = right_hat;
            fence("store-store");
            if (dcas(&left_hat, &right_hat, hat, other_hat, node, node)) return;
        } else {
            node->right = hat;
            fence("store-store");
            if (dcas(&left_hat, &hat->left, hat, beyond, node, node)) return;
        }
    }
}

/* The value of a node that was just taken off the deque. */
static int take(struct node *node) {
    int value = node->value;
#ifdef DOUBLE_CORRECTED
    if (value == CLAIMED || !cas(&node->value, value, CLAIMED)) return EMPTY;
#endif
    return value;
}

/* Whether an end that looked empty through `hat` may be reported as empty. */
static bool is_empty(struct node **hat_place, struct node *hat) {
#ifdef EMPTY_CORRECTED
    fence("load-load");
    return *hat_place == hat;
#else
    (void)hat_place, (void)hat;
    return true;
#endif
}

static int pop_right(void) {
    for (;;) {
        struct node *hat = right_hat;
        fence("load-load");
        struct node *other_hat = left_hat;
        fence("load-load");
        if (hat->right == hat) {
            if (is_empty(&right_hat, hat)) return EMPTY;
        } else if (hat == other_hat) {
            if (dcas(&right_hat, &left_hat, hat, other_hat, &dummy, &dummy)) return take(hat);
        } else {
            struct node *inner = hat->left;
            if (dcas(&right_hat, &hat->left, hat, inner, inner, hat)) {
                int value = take(hat);
                hat->right = &dummy;
                return value;
            }
        }
    }
}

static int pop_left(void) {
    for (;;) {
        struct node *hat = left_hat;
        fence("load-load");
        struct node *other_hat = right_hat;
        fence("load-load");
        if (hat->left == hat) {
            if (is_empty(&left_hat, hat)) return EMPTY;
        } else if (hat == other_hat) {
            if (dcas(&left_hat, &right_hat, hat, other_hat, &dummy, &dummy)) return take(hat);
        } else {
            struct node *inner = hat->right;
            if (dcas(&left_hat, &hat->right, hat, inner, inner, hat)) {
                int value = take(hat);
                hat->left = &dummy;
                return value;
            }
        }
    }
}

/* The operations as the client calls them. */
static void client_push_right(int value) {
    fp_operation_begin("push_right", value);
    push_right(value);
    fp_operation_end();
}

static int client_pop_right(void) {
    fp_operation_begin("pop_right");
    int value = pop_right();
    fp_operation_end(value);
    return value;
}

static int client_pop_left(void) {
    fp_operation_begin("pop_left");
    int value = pop_left();
    fp_operation_end(value);
    return value;
}

/* The operations of tests: add and remove, at the left and at the right. */
void init(void) { deque_init(); }

static int any_value(void) {
    int value = fp_choose(0, 1);
    fp_observe("value", value);
    return value;
}

void al(void) { push_left(any_value()); }
void ar(void) { push_right(any_value()); }
void rl(void) { fp_observe("taken", pop_left()); }
void rr(void) { fp_observe("taken", pop_right()); }
