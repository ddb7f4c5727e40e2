// A word and one of its bytes are written by two threads; a third reads the byte and then the word, all
// by volatile accesses.
//@ sc tso pso armv8 riscv: holds: each byte is coherent, and loads of a byte stay in order
//@ rmo relaxed: assert fails: two loads of one location may be swapped
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union {
    volatile uint32_t word;
    volatile uint8_t byte[4];
} shared;

static void *whole(void *unused) {
    shared.word = 0x01010101;
    return unused;
}

static void *part(void *unused) {
    shared.byte[1] = 2;
    return unused;
}

int main(void) {
    pthread_t p, q;
    pthread_create(&p, NULL, whole, NULL);
    pthread_create(&q, NULL, part, NULL);
    uint8_t byte = shared.byte[1];
    uint32_t word = shared.word;
    if (byte != 0)
        assert((word >> 8 & 0xff) != 0);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(shared.word == 0x01010101 || shared.word == 0x01010201);
    return 0;
}
