// The stack of Treiber: N threads push, one pops twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef N
#define N 3
#endif
struct node { int value; struct node *next; };
_Atomic(struct node *) top;

static void *push(void *argument) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = (int)(long)argument + 1;
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    do fresh->next = old;
    while (!atomic_compare_exchange_strong_explicit(&top, &old, fresh, memory_order_release,
                                                    memory_order_relaxed));
    return 0;
}

static int pop(void) {
    struct node *old = atomic_load_explicit(&top, memory_order_acquire);
    while (old && !atomic_compare_exchange_strong_explicit(&top, &old, old->next,
                                                           memory_order_acquire,
                                                           memory_order_acquire)) { }
    return old ? old->value : 0;
}

static void *popper(void *unused) {
    int a = pop(), b = pop();
    assert(!a || a != b);
    return 0;
}

int main(void) {
    pthread_t t[N + 1];
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, push, (void *)i);
    pthread_create(&t[N], 0, popper, 0);
    for (int i = 0; i <= N; i++) pthread_join(t[i], 0);
    return 0;
}
