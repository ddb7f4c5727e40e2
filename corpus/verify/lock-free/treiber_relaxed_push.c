// Treiber's stack that publishes with a relaxed compare-and-swap.
//@ sc tso: holds: stores are seen in order
//@ pso relaxed armv8 power riscv: assert fails: the node may be seen before its value
//@ rc11: assert fails, race fails: the value is not released
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

static struct node node;
static struct node *_Atomic top;

static void *pusher(void *unused) {
    node.value = 1;
    struct node *old = NULL;
    atomic_compare_exchange_strong_explicit(&top, &old, &node, memory_order_relaxed,
                                            memory_order_relaxed);
    return unused;
}

static void *popper(void *unused) {
    struct node *old = atomic_exchange_explicit(&top, NULL, memory_order_acquire);
    if (old != NULL)
        assert(old->value == 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, pusher, NULL);
    pthread_create(&b, NULL, popper, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
