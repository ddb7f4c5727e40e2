// A stack whose top is a pointer and a count that stays the same, swapped by 16 bytes at once; the halves are
// read one by one. One thread pops while another one pops twice and pushes the first node again.
//@ sc tso pso rmo relaxed armv8 riscv: assert fails: the swap succeeds although the node was popped and pushed meanwhile
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHANGE 0

struct node {
    struct node *_Atomic next;
};
struct top {
    struct node *first;
    uintptr_t changes;
} __attribute__((aligned(16)));

static struct top top;
static struct node a, b;

static struct top read_top(void) {
    struct top seen;
    seen.changes = __atomic_load_n(&top.changes, __ATOMIC_ACQUIRE);
    seen.first = __atomic_load_n(&top.first, __ATOMIC_ACQUIRE);
    return seen;
}

static struct node *pop(void) {
    struct top old = read_top(), new;
    do {
        if (old.first == NULL)
            return NULL;
        new.first = atomic_load(&old.first->next);
        new.changes = old.changes + CHANGE;
    } while (!__atomic_compare_exchange(&top, &old, &new, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST));
    return old.first;
}

static void push(struct node *node) {
    struct top old = read_top(), new;
    do {
        atomic_store(&node->next, old.first);
        new.first = node;
        new.changes = old.changes + CHANGE;
    } while (!__atomic_compare_exchange(&top, &old, &new, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST));
}

static struct node *kept;

static void *other(void *unused) {
    struct node *first = pop();
    kept = pop();
    if (first != NULL)
        push(first);
    return unused;
}

int main(void) {
    pthread_t p;
    atomic_store(&a.next, &b);
    atomic_store(&b.next, NULL);
    top.first = &a;
    pthread_create(&p, NULL, other, NULL);
    struct node *popped = pop();
    pthread_join(p, NULL);
    assert(popped != kept || popped == NULL);
    // What was popped and kept is not in the stack.
    for (struct node *node = top.first; node != NULL; node = node->next)
        assert(node != kept && node != popped);
    return 0;
}
