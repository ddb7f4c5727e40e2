/* The queue of Michael and Scott (PODC 1996): one thread enqueues N values, one dequeues N times.
   After the description of the evaluation of SATCheck (Demsky and Lam, OOPSLA 2015).
   -DN=…: how many. -DASSERTED: what comes out is what went in, in the same order.
   -DBUG: a node is linked before its value is written. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

struct node {
    atomic_int value;
    struct node *_Atomic next;
};

/* The first node is the dummy of the empty queue; nothing is used twice. */
static struct node nodes[N + 1];
static struct node *_Atomic head = &nodes[0], *_Atomic tail = &nodes[0];

static void enqueue(struct node *node, int value) {
#ifndef BUG
    atomic_store_explicit(&node->value, value, memory_order_relaxed);
#endif
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (last != atomic_load_explicit(&tail, memory_order_acquire))
            continue;
        if (next != NULL) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release,
                                                    memory_order_relaxed);
        } else if (atomic_compare_exchange_strong_explicit(
                       &last->next, &next, node, memory_order_release, memory_order_relaxed)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, node, memory_order_release,
                                                    memory_order_relaxed);
            break;
        }
    }
#ifdef BUG
    atomic_store_explicit(&node->value, value, memory_order_relaxed);
#endif
}

/* The value, or -1 if the queue is empty. */
static int dequeue(void) {
    for (;;) {
        struct node *first = atomic_load_explicit(&head, memory_order_acquire);
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
        if (first != atomic_load_explicit(&head, memory_order_acquire))
            continue;
        if (first == last) {
            if (next == NULL)
                return -1;
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release,
                                                    memory_order_relaxed);
        } else {
            int value = atomic_load_explicit(&next->value, memory_order_relaxed);
            if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_release,
                                                        memory_order_relaxed))
                return value;
        }
    }
}

static void *producer(void *unused) {
    for (int i = 1; i <= N; i++)
        enqueue(&nodes[i], i);
    return unused;
}

static void *consumer(void *unused) {
#ifdef ASSERTED
    int expected = 1;
#endif
    for (int i = 0; i < N; i++) {
        int value = dequeue();
#ifdef ASSERTED
        if (value != -1)
            assert(value == expected++);
#else
        (void)value;
#endif
    }
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
