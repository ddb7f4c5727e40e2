// Compare-and-swaps that are tried again: one fails only if another one has succeeded, and there are
// only so many.
//@ all: holds: each thread succeeds in the end
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *increments(void *unused) {
    int old = atomic_load(&count);
    while (!atomic_compare_exchange_weak(&count, &old, old + 1))
        ;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, increments, 0);
    pthread_create(&b, 0, increments, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load(&count) == 2);
    return 0;
}
