// Each thread writes its half of a word and reads the word.
//@ sc: holds: the thread whose store is the second sees both
//@ tso pso rmo relaxed armv8 riscv: assert fails: each may take its own half from its store buffer, and the other half from memory before the other store
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
    _Atomic uint32_t word;
    _Atomic uint16_t half[2];
} shared;
static uint32_t seen[2];

static void *first(void *unused) {
    atomic_store_explicit(&shared.half[0], 1, memory_order_relaxed);
    seen[0] = atomic_load_explicit(&shared.word, memory_order_relaxed);
    return unused;
}

static void *second(void *unused) {
    atomic_store_explicit(&shared.half[1], 1, memory_order_relaxed);
    seen[1] = atomic_load_explicit(&shared.word, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t p, q;
    pthread_create(&p, NULL, first, NULL);
    pthread_create(&q, NULL, second, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert((seen[0] & 0xffff) == 1 && seen[1] >> 16 == 1);
    assert(seen[0] == 0x00010001 || seen[1] == 0x00010001);
    return 0;
}
