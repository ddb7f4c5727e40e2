// Treiber's stack (1986): two threads push, a third pops; nodes are freed after everybody has gone.
//@ all: holds: a popped value was pushed, and nothing is lost
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct node {
    int value;
    struct node *next;
};

static struct node nodes[2] = { { 1, NULL }, { 2, NULL } };
static struct node *_Atomic top;
static int popped;

static void *pusher(void *argument) {
    struct node *node = &nodes[(intptr_t)argument];
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    do {
        node->next = old;
    } while (!atomic_compare_exchange_strong_explicit(&top, &old, node, memory_order_release,
                                                      memory_order_relaxed));
    return NULL;
}

static void *popper(void *unused) {
    struct node *old = atomic_load_explicit(&top, memory_order_acquire);
    while (old != NULL
           && !atomic_compare_exchange_strong_explicit(&top, &old, old->next, memory_order_acquire,
                                                       memory_order_acquire))
        ;
    popped = old == NULL ? 0 : old->value;
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, pusher, (void *)(intptr_t)0);
    pthread_create(&b, NULL, pusher, (void *)(intptr_t)1);
    pthread_create(&c, NULL, popper, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    int sum = popped;
    for (struct node *node = top; node != NULL; node = node->next)
        sum += node->value;
    assert(sum == 3);
    return 0;
}
