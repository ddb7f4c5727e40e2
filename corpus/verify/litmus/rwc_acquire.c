// Read-to-write causality: a reader with acquire loads beside a thread with a full fence.
//@ sc tso pso relaxed armv8 riscv: holds: the loads are in order, and a store is seen by all others at once
//@ power rc11: assert fails: the store that the reader saw may reach the third thread later
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
    r1 = atomic_load_explicit(&x, memory_order_acquire);
    r2 = atomic_load_explicit(&y, memory_order_acquire);
    return unused;
}

static void *thread_3(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
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
    assert(!(r1 == 1 && r2 == 0 && r3 == 0));
    return 0;
}
