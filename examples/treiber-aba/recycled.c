/* Treiber's stack whose nodes come from a pool and go back to it, so that no memory is ever
   freed: now the top can go from A to B and back to A while a thread is between reading A's
   next pointer and its compare-and-swap, which then succeeds and puts a node on the stack that
   is no longer in it (the ABA problem). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) top;
static struct node pool[3];

static void push(struct node *node) {
    struct node *expected = atomic_load(&top);
    do atomic_store(&node->next, expected);
    while (!atomic_compare_exchange_strong(&top, &expected, node));
}

static struct node *pop(void) {
    struct node *node = atomic_load(&top);
    while (node) {
        struct node *next = atomic_load(&node->next);
        if (atomic_compare_exchange_strong(&top, &node, next)) return node;
    }
    return NULL;
}

/* The client: one thread pops a node; another pops two and gives back the first of them. */
static struct node *taken;
static struct node *kept;

static void *pop_one(void *argument) {
    taken = pop();
    return argument;
}

static void *pop_two_and_return_one(void *argument) {
    struct node *first = pop();
    kept = pop();
    if (first) push(first);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 2; i >= 0; i--) {
        pool[i].value = i;
        push(&pool[i]);
    }
    pthread_create(&threads[0], NULL, pop_one, NULL);
    pthread_create(&threads[1], NULL, pop_two_and_return_one, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(taken != kept);
    int left = 0;
    for (struct node *node; (node = pop()); left++) {
        assert(node != taken && node != kept);
        assert(left < 3);
    }
    assert(left == 1);
    printf("stack: took %d, kept %d, one left\n", taken->value, kept->value);
    return 0;
}
