// An intrusive queue of many producers and one consumer (after Vyukov): producers exchange the
// head and then link; the consumer may find a link that is not there yet.
//@ all: holds: every node is linked in the end, once
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct node {
    struct node *_Atomic next;
    int value;
};

static struct node stub, nodes[2];
static struct node *_Atomic head = &stub;

static void *producer(void *argument) {
    struct node *node = &nodes[(intptr_t)argument];
    node->value = (int)(intptr_t)argument + 1;
    struct node *before = atomic_exchange_explicit(&head, node, memory_order_acq_rel);
    atomic_store_explicit(&before->next, node, memory_order_release);
    return NULL;
}

static void *consumer(void *unused) {
    struct node *first = atomic_load_explicit(&stub.next, memory_order_acquire);
    if (first != NULL) {
        assert(first->value == 1 || first->value == 2);
        struct node *second = atomic_load_explicit(&first->next, memory_order_acquire);
        if (second != NULL)
            assert(first->value + second->value == 3);
    }
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, producer, (void *)(intptr_t)0);
    pthread_create(&b, NULL, producer, (void *)(intptr_t)1);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    int sum = 0;
    for (struct node *node = stub.next; node != NULL; node = node->next)
        sum += node->value;
    assert(sum == 3);
    return 0;
}
