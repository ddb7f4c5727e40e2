// Store buffering with a relaxed compare-and-swap in between that fails in each thread.
//@ sc: holds: nothing is reordered
//@ tso: holds: a locked instruction waits for the store buffer, whether it succeeds or not
//@ pso relaxed armv8 power riscv rc11: assert fails: one that is relaxed and fails is only a load
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static int r1, r2;

static void fails(void) {
    int expected = 5;
    int done = atomic_compare_exchange_strong_explicit(&z, &expected, 1, memory_order_relaxed,
                                                       memory_order_relaxed);
    assert(!done);
}

static void *thread_1(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    fails();
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    fails();
    r2 = atomic_load_explicit(&x, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(r1 == 1 || r2 == 1);
    return 0;
}
