// Treiber's stack over a pool whose nodes come back: one thread pops A, pops B, and pushes A again
// while the other stands between its look at A and its compare-and-swap.
//@ all: assert fails: the compare-and-swap takes A for unchanged and brings B back, which was popped
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE, A, B };

static atomic_int top = A, next[3] = { NONE, B, NONE };
static atomic_int popped[3];

static int pop(void) {
    int old = atomic_load(&top);
    while (old != NONE && !atomic_compare_exchange_strong(&top, &old, atomic_load(&next[old])))
        ;
    return old;
}

static void push(int node) {
    int old = atomic_load(&top);
    do {
        atomic_store(&next[node], old);
    } while (!atomic_compare_exchange_strong(&top, &old, node));
}

static void *patient(void *unused) {
    int node = pop();
    if (node != NONE)
        atomic_fetch_add(&popped[node], 1);
    return unused;
}

static void *quick(void *unused) {
    int first = pop();
    int second = pop();
    if (second != NONE)
        atomic_fetch_add(&popped[second], 1);
    if (first != NONE)
        push(first);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, patient, NULL);
    pthread_create(&b, NULL, quick, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int left = atomic_load(&top);
    assert(!(left == B && popped[B] > 0)); /* in the stack although it was popped */
    return 0;
}
