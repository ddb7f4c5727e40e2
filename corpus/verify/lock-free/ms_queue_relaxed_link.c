// The queue of Michael and Scott that links a node with a relaxed compare-and-swap.
//@ sc tso: holds: the value is stored before the link
//@ pso relaxed armv8 power riscv: assert fails: the link may be seen before the value
//@ rc11: assert fails, race fails: the value is not released
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    int value;
    struct node *_Atomic next;
};

static struct node nodes[2];
static struct node *_Atomic head = &nodes[0], *_Atomic tail = &nodes[0];

static void *producer(void *unused) {
    nodes[1].value = 5;
    struct node *last = atomic_load_explicit(&tail, memory_order_relaxed), *none = NULL;
    if (atomic_compare_exchange_strong_explicit(&last->next, &none, &nodes[1],
                                                memory_order_relaxed, memory_order_relaxed))
        atomic_store_explicit(&tail, &nodes[1], memory_order_relaxed);
    return unused;
}

static void *consumer(void *unused) {
    struct node *first = atomic_load_explicit(&head, memory_order_acquire);
    struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
    if (next != NULL)
        assert(next->value == 5);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
