// Each thread announces itself and counts if it has not seen the other.
//@ sc: holds: one of the two sees the other
//@ tso pso relaxed armv8 power riscv rc11: assert fails: both loads may overtake the stores before them
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int here[2], alone;

static void *first(void *unused) {
    atomic_store_explicit(&here[0], 1, memory_order_relaxed);
    if (!atomic_load_explicit(&here[1], memory_order_relaxed))
        atomic_fetch_add(&alone, 1);
    return unused;
}

static void *second(void *unused) {
    atomic_store_explicit(&here[1], 1, memory_order_relaxed);
    if (!atomic_load_explicit(&here[0], memory_order_relaxed))
        atomic_fetch_add(&alone, 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&alone) < 2);
    return 0;
}
