// Store buffering in a ring of three threads.
//@ sc: holds: the last load comes after all stores
//@ tso pso relaxed armv8 power riscv rc11: assert fails: every load may overtake the store before it
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static int r1, r2, r3;

static void *thread_1(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    r2 = atomic_load_explicit(&z, memory_order_relaxed);
    return unused;
}

static void *thread_3(void *unused) {
    atomic_store_explicit(&z, 1, memory_order_relaxed);
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
    assert(r1 == 1 || r2 == 1 || r3 == 1);
    return 0;
}
