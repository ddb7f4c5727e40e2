// Two threads count to N together, with a compare-and-swap loop and with an addition.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 4
#endif
static atomic_int count;

static void *by_swap(void *unused) {
    for (int i = 0; i < N; i++) {
        int old = atomic_load_explicit(&count, memory_order_relaxed);
        while (!atomic_compare_exchange_strong_explicit(&count, &old, old + 1, memory_order_relaxed,
                                                        memory_order_relaxed)) {
        }
    }
    return unused;
}

static void *by_addition(void *unused) {
    for (int i = 0; i < N; i++) atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, by_swap, 0);
    pthread_create(&b, 0, by_addition, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load_explicit(&count, memory_order_relaxed) == 2 * N);
    return 0;
}
