// A sequence lock: one writer, N readers that try once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
atomic_int sequence, a, b;

static void *writer(void *unused) {
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&a, 1, memory_order_relaxed);
    atomic_store_explicit(&b, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, 2, memory_order_release);
    return 0;
}

static void *reader(void *unused) {
    int before = atomic_load_explicit(&sequence, memory_order_acquire);
    int x = atomic_load_explicit(&a, memory_order_relaxed);
    int y = atomic_load_explicit(&b, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    int after = atomic_load_explicit(&sequence, memory_order_relaxed);
    if (before == after && before % 2 == 0) assert(x == y);
    return 0;
}

int main(void) {
    pthread_t t[N + 1];
    pthread_create(&t[N], 0, writer, 0);
    for (int i = 0; i < N; i++) pthread_create(&t[i], 0, reader, 0);
    for (int i = 0; i <= N; i++) pthread_join(t[i], 0);
    return 0;
}
