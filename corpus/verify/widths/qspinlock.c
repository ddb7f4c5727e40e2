// A queued spin lock as in the Linux kernel, for two threads: the word is swapped as a whole, the byte
// of the owner is polled and cleared, and the waiter takes over by a store of the lower half.
//@ sc tso pso rmo relaxed armv8 riscv: holds: the owner releases with release, the waiter polls with acquire
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef RELEASE
#define RELEASE memory_order_release
#endif
#define PENDING 0x100

static union {
    _Atomic uint32_t value;
    struct {
        _Atomic uint8_t locked, pending;
        _Atomic uint16_t tail;
    };
    _Atomic uint16_t locked_pending;
} lock;
static int count;

static void acquire(void) {
    uint32_t before = 0;
    if (atomic_compare_exchange_strong_explicit(&lock.value, &before, 1, memory_order_acquire,
                                                memory_order_relaxed))
        return;
    atomic_fetch_or_explicit(&lock.value, PENDING, memory_order_acquire);
    while (atomic_load_explicit(&lock.locked, memory_order_acquire))
        ;
    atomic_store_explicit(&lock.locked_pending, 1, memory_order_relaxed);
}

static void release(void) {
    atomic_store_explicit(&lock.locked, 0, RELEASE);
}

static void *counts(void *unused) {
    acquire();
    count++;
    release();
    return unused;
}

int main(void) {
    pthread_t p, q;
    pthread_create(&p, NULL, counts, NULL);
    pthread_create(&q, NULL, counts, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    assert(count == 2);
    assert(lock.value == 0);
    return 0;
}
