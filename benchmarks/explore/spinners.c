/* A lock taken by compare-and-swap: T threads take it once each.
   -DT=…: how many. The program of the SATCheck evaluation (Demsky and Lam, OOPSLA 2015) with threads that
   grow instead of iterations. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef T
#define T 3
#endif

static atomic_int held;
static int counter;

static void *takes(void *unused) {
    int expected = 0;
    while (!atomic_compare_exchange_strong_explicit(&held, &expected, 1, memory_order_acquire,
                                                    memory_order_relaxed))
        expected = 0;
    counter++;
    atomic_store_explicit(&held, 0, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t threads[T];
    for (int i = 0; i < T; i++)
        pthread_create(&threads[i], 0, takes, 0);
    for (int i = 0; i < T; i++)
        pthread_join(threads[i], 0);
    assert(counter == T);
    return 0;
}
