// A thread sets a bit of a word by a load and a store, while another one sets a byte of it.
//@ sc tso pso rmo relaxed armv8 riscv: assert fails: the store of the word may put back what the byte was when the word was read
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
    _Atomic uint32_t word;
    _Atomic uint8_t byte[4];
} flags;

static void *sets_bit(void *unused) {
    uint32_t before = atomic_load(&flags.word);
    atomic_store(&flags.word, before | 0x100);
    return unused;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, NULL, sets_bit, NULL);
    atomic_store(&flags.byte[0], 1);
    pthread_join(p, NULL);
    assert(flags.word == 0x101);
    return 0;
}
