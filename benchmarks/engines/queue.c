// The queue of Michael and Scott (PODC 1996): N threads enqueue, one dequeues.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef N
#define N 2
#endif
struct node { int value; _Atomic(struct node *) next; };
_Atomic(struct node *) head, tail;

static void enqueue(int value) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = value;
    atomic_init(&fresh->next, 0);
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (atomic_compare_exchange_strong(&last->next, &next, fresh)) {
            atomic_compare_exchange_strong(&tail, &last, fresh);
            return;
        }
    }
}

static int dequeue(void) {
    for (;;) {
        struct node *first = atomic_load_explicit(&head, memory_order_acquire);
        struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
        if (!next) return 0;
        if (atomic_compare_exchange_strong(&head, &first, next)) return next->value;
    }
}

static void *producer(void *argument) {
    enqueue((int)(long)argument + 1);
    return 0;
}

static void *consumer(void *unused) {
    int value = dequeue();
    assert(value >= 0 && value <= N);
    return 0;
}

int main(void) {
    pthread_t t[N + 1];
    struct node *dummy = malloc(sizeof *dummy);
    atomic_init(&dummy->next, 0);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, producer, (void *)i);
    pthread_create(&t[N], 0, consumer, 0);
    for (int i = 0; i <= N; i++) pthread_join(t[i], 0);
    return 0;
}
