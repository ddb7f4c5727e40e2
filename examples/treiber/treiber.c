/* Treiber's stack (IBM RJ 5118, 1986) in C11. Popped nodes are never freed or used again, which
   is what makes it right; ../treiber-aba shows what happens otherwise, and ../hazard-pointers
   how to free them. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct stack {
    _Atomic(struct node *) top;
};

static void stack_init(struct stack *stack) {
    atomic_init(&stack->top, NULL);
}

static void push(struct stack *stack, int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = atomic_load_explicit(&stack->top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&stack->top, &node->next, node,
                                                  memory_order_release, memory_order_relaxed)) {}
}

static bool pop(struct stack *stack, int *value) {
    struct node *top = atomic_load_explicit(&stack->top, memory_order_acquire);
    while (top && !atomic_compare_exchange_weak_explicit(&stack->top, &top, top->next,
                                                         memory_order_acquire,
                                                         memory_order_acquire)) {}
    if (!top) return false;
    *value = top->value;
    return true;
}

#include "../clients/stack.h"
