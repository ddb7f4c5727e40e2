// N threads, each once in a critical section under a test-and-test-and-set lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 4
#endif
static atomic_int lock;
static int inside;

static void *visitor(void *unused) {
    do {
        while (atomic_load_explicit(&lock, memory_order_relaxed)) {
        }
    } while (atomic_exchange_explicit(&lock, 1, memory_order_acquire));
    inside++;
    atomic_store_explicit(&lock, 0, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, visitor, 0);
    for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
    assert(inside == N);
    return 0;
}
