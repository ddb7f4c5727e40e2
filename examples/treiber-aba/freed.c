/* Treiber's stack with the mistake everybody makes once: a popped node is freed at once, while
   another thread may still be about to read its next pointer. */
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
    node->next = atomic_load(&stack->top);
    while (!atomic_compare_exchange_weak(&stack->top, &node->next, node)) {}
}

static bool pop(struct stack *stack, int *value) {
    struct node *top = atomic_load(&stack->top);
    while (top) {
        struct node *next = top->next; /* top may be gone by now */
        if (atomic_compare_exchange_weak(&stack->top, &top, next)) {
            *value = top->value;
            free(top);
            return true;
        }
    }
    return false;
}

#include "../clients/stack.h"
