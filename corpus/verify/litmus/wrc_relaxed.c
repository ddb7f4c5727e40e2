// Write-to-read causality: what the second thread has seen, the third should see too.
//@ sc tso pso: holds: loads come before all that follows them
//@ relaxed: assert fails: the second thread's store may overtake its load
//@ armv8 power riscv rc11: assert fails: relaxed accesses of different locations may be swapped
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2, r3;

static void *thread_1(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused) {
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return unused;
}

static void *thread_3(void *unused) {
    r2 = atomic_load_explicit(&y, memory_order_relaxed);
    r3 = atomic_load_explicit(&x, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_create(&t3, NULL, thread_3, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    assert(!(r1 == 1 && r2 == 1 && r3 == 0));
    return 0;
}
