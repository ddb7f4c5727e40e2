// Of two compare-and-swaps from the same value, one succeeds.
//@ all: holds: a read-modify-write is atomic, whatever its order
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, winners;

static void *thread_1(void *unused) {
    int zero = 0;
    if (atomic_compare_exchange_strong_explicit(&x, &zero, 1, memory_order_relaxed, memory_order_relaxed))
        atomic_fetch_add_explicit(&winners, 1, memory_order_relaxed);
    else
        assert(zero == 2);
    return unused;
}

static void *thread_2(void *unused) {
    int zero = 0;
    if (atomic_compare_exchange_strong_explicit(&x, &zero, 2, memory_order_relaxed, memory_order_relaxed))
        atomic_fetch_add_explicit(&winners, 1, memory_order_relaxed);
    else
        assert(zero == 1);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(winners == 1);
    assert(x == 1 || x == 2);
    return 0;
}
