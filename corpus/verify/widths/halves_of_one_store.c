// A message and its flag are written by one store, and read one after the other.
//@ sc tso pso: holds: the store is seen as a whole, and loads are performed in order
//@ rmo relaxed: holds: a relaxed load has a load-load fence after it there
//@ armv8 riscv: assert fails: the load of the message may be performed before that of the flag
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
    _Atomic uint64_t both;
    struct {
        _Atomic uint32_t message, flag;
    } part;
} shared;

static void *sender(void *unused) {
    atomic_store_explicit(&shared.both, 0x000000010000002a, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, NULL, sender, NULL);
    if (atomic_load_explicit(&shared.part.flag, memory_order_relaxed) == 1)
        assert(atomic_load_explicit(&shared.part.message, memory_order_relaxed) == 42);
    pthread_join(p, NULL);
    return 0;
}
