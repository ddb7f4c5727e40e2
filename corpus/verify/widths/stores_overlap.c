// A word and one of its bytes are written by two threads; a third reads the byte and then the word.
//@ sc tso pso rmo relaxed armv8 riscv: holds: each byte is coherent, and C11 promises that atomic loads of it stay in order
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
    _Atomic uint32_t word;
    _Atomic uint8_t byte[4];
} shared;

static void *whole(void *unused) {
    atomic_store_explicit(&shared.word, 0x01010101, memory_order_relaxed);
    return unused;
}

static void *part(void *unused) {
    atomic_store_explicit(&shared.byte[1], 2, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t p, q;
    pthread_create(&p, NULL, whole, NULL);
    pthread_create(&q, NULL, part, NULL);
    uint8_t byte = atomic_load_explicit(&shared.byte[1], memory_order_relaxed);
    uint32_t word = atomic_load_explicit(&shared.word, memory_order_relaxed);
    if (byte != 0)
        assert((word >> 8 & 0xff) != 0);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(shared.word == 0x01010101 || shared.word == 0x01010201);
    return 0;
}
