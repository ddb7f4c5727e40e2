// A chain of threads, each of which awaits what the one before it publishes: one execution.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 8
#endif
int data[N + 1];
atomic_int ready[N + 1];

static void *stage(void *argument) {
    long own = (long)argument;
    while (!atomic_load_explicit(&ready[own], memory_order_acquire)) { }
    data[own + 1] = data[own] + 1;
    atomic_store_explicit(&ready[own + 1], 1, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t t[N];
    atomic_store(&ready[0], 1);
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, stage, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    assert(data[N] == N);
    return 0;
}
