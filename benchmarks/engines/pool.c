// N threads take one of N slots each, by a bit in a word: no two have the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
static atomic_uint taken;
static int owner[N];

static void *visitor(void *unused) {
    unsigned old = atomic_load_explicit(&taken, memory_order_relaxed);
    for (;;) {
        int slot = 0;
        while (slot < N && (old >> slot & 1)) slot++;
        assert(slot < N);
        if (atomic_compare_exchange_strong_explicit(&taken, &old, old | 1u << slot,
                                                    memory_order_acquire, memory_order_relaxed)) {
            owner[slot]++;
            assert(owner[slot] == 1);
            return unused;
        }
    }
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, visitor, 0);
    for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
    return 0;
}
