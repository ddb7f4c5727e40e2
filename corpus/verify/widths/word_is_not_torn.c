// A word is written and read at once, and its halves are read one by one after the threads have ended.
//@ sc tso pso rmo relaxed armv8 riscv: holds: an aligned access is single-copy atomic, whatever widths others use
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
    _Atomic uint64_t word;
    _Atomic uint32_t half[2];
} shared;

static void *writer(void *unused) {
    atomic_store_explicit(&shared.word, 0x0000000100000001, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, NULL, writer, NULL);
    uint64_t seen = atomic_load_explicit(&shared.word, memory_order_relaxed);
    assert((uint32_t)seen == seen >> 32);
    pthread_join(p, NULL);
    assert(shared.half[0] == 1 && shared.half[1] == 1);
    return 0;
}
