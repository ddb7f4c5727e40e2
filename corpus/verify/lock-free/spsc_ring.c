// A ring of two places between one producer and one consumer (Lamport), with release and acquire.
//@ sc tso pso relaxed armv8 power riscv rc11: holds: each index is released by the one who writes it and acquired by the other
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { PLACES = 2 };

static int ring[PLACES];
static atomic_uint written, taken;

static bool put(int value) {
    unsigned at = atomic_load_explicit(&written, memory_order_relaxed);
    if (at - atomic_load_explicit(&taken, memory_order_acquire) == PLACES)
        return false;
    ring[at % PLACES] = value;
    atomic_store_explicit(&written, at + 1, memory_order_release);
    return true;
}

static bool take(int *value) {
    unsigned at = atomic_load_explicit(&taken, memory_order_relaxed);
    if (atomic_load_explicit(&written, memory_order_acquire) == at)
        return false;
    *value = ring[at % PLACES];
    atomic_store_explicit(&taken, at + 1, memory_order_release);
    return true;
}

static void *producer(void *unused) {
    for (int i = 1; i <= 3; i++)
        put(i);
    return unused;
}

static void *consumer(void *unused) {
    int last = 0, value;
    for (int i = 0; i < 2; i++)
        if (take(&value)) {
            assert(value > last);
            last = value;
        }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
