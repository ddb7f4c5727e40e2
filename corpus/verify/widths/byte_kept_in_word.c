// A thread sets a bit of a word by one instruction, while another one sets a byte of it.
//@ sc tso pso rmo relaxed armv8 riscv: holds: nothing comes between the two halves of a read-modify-write, in any of its bytes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
    _Atomic uint32_t word;
    _Atomic uint8_t byte[4];
} flags;

static void *sets_bit(void *unused) {
    atomic_fetch_or(&flags.word, 0x100);
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
