// A number of 16 bytes is swapped as a whole; its halves are read by plain volatile loads, the one that is
// never larger first.
//@ sc tso pso: holds: both halves change at once, and loads stay in order
//@ rmo relaxed armv8 riscv: assert fails: the load of the low half may be performed before that of the high one
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

static union {
    __int128 both;
    struct {
        uint64_t low, high;
    } half;
} shared __attribute__((aligned(16)));

static void *adds(void *unused) {
    __int128 old = 0, both_halves = (__int128)1 << 64 | 1;
    while (!__atomic_compare_exchange_n(&shared.both, &old, old + both_halves, false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    return unused;
}

int main(void) {
    pthread_t p, q;
    pthread_create(&p, NULL, adds, NULL);
    pthread_create(&q, NULL, adds, NULL);
    uint64_t high = *(volatile uint64_t *)&shared.half.high;
    uint64_t low = *(volatile uint64_t *)&shared.half.low;
    assert(low >= high);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(shared.half.low == 2 && shared.half.high == 2);
    return 0;
}
