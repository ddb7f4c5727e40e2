// A counter under a spinlock that waits with loads and takes with an exchange.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 4
#endif
atomic_int lock;
int counter;

static void *run(void *unused) {
    int expected;
    do {
        while (atomic_load_explicit(&lock, memory_order_relaxed)) { }
        expected = 0;
    } while (!atomic_compare_exchange_strong_explicit(&lock, &expected, 1, memory_order_acquire,
                                                      memory_order_relaxed));
    counter++;
    atomic_store_explicit(&lock, 0, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++) pthread_create(&t[i], 0, run, 0);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    assert(counter == N);
    return 0;
}
