// Independent reads of independent writes: two readers see two stores in different orders.
//@ sc tso pso: holds: loads stay in order, and a store is seen by all others at once
//@ relaxed: holds: a relaxed load has a load-load fence behind it there
//@ armv8 power riscv rc11: assert fails: relaxed loads of two locations may be swapped
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2, r3, r4;

static void *thread_1(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return unused;
}

static void *thread_3(void *unused) {
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    r2 = atomic_load_explicit(&y, memory_order_relaxed);
    return unused;
}

static void *thread_4(void *unused) {
    r3 = atomic_load_explicit(&y, memory_order_relaxed);
    r4 = atomic_load_explicit(&x, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t1, t2, t3, t4;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_create(&t3, NULL, thread_3, NULL);
    pthread_create(&t4, NULL, thread_4, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    pthread_join(t4, NULL);
    assert(!(r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0));
    return 0;
}
