// A word is read while two threads write a half of it each.
//@ sc tso pso rmo relaxed armv8 riscv: assert fails: the read may come after both stores, and takes a half from each
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
    _Atomic uint32_t word;
    _Atomic uint16_t half[2];
} shared;

static void *low(void *unused) {
    atomic_store_explicit(&shared.half[0], 1, memory_order_relaxed);
    return unused;
}

static void *high(void *unused) {
    atomic_store_explicit(&shared.half[1], 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t p, q;
    pthread_create(&p, NULL, low, NULL);
    pthread_create(&q, NULL, high, NULL);
    assert(atomic_load_explicit(&shared.word, memory_order_relaxed) != 0x00010001);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    return 0;
}
