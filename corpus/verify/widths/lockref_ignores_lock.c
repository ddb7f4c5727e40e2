// A reference count next to its lock that is changed while the lock is held: both are swapped at once if the lock is
// free or not, and the count is changed alone by who holds the lock.
//@ sc tso pso rmo relaxed armv8 riscv: assert fails: a count may be lost between the load and the store of the holder
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
    _Atomic uint64_t both;
    struct {
        _Atomic uint32_t lock, count;
    };
} ref;

static void *gets_without_lock(void *unused) {
    uint64_t old = atomic_load_explicit(&ref.both, memory_order_relaxed);
#ifndef HEEDS_LOCK
    while (!atomic_compare_exchange_strong(&ref.both, &old, old + (1ULL << 32)))
        ;
#else
    do {
        while ((uint32_t)old != 0)
            old = atomic_load_explicit(&ref.both, memory_order_relaxed);
    } while (!atomic_compare_exchange_strong(&ref.both, &old, old + (1ULL << 32)));
#endif
    return unused;
}

static void *gets_with_lock(void *unused) {
    uint32_t free = 0;
    while (!atomic_compare_exchange_strong_explicit(&ref.lock, &free, 1, memory_order_acquire,
                                                    memory_order_relaxed))
        free = 0;
    uint32_t count = atomic_load_explicit(&ref.count, memory_order_relaxed);
    atomic_store_explicit(&ref.count, count + 1, memory_order_relaxed);
    atomic_store_explicit(&ref.lock, 0, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t p, q;
    pthread_create(&p, NULL, gets_without_lock, NULL);
    pthread_create(&q, NULL, gets_with_lock, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(ref.count == 2);
    return 0;
}
