// A store that comes second in coherence, followed by a load that is too early.
//@ sc: holds: the load comes after its thread's store, hence after both stores of the other
//@ tso pso relaxed armv8 power riscv rc11: assert fails: the load may overtake the store before it
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1;

static void *thread_1(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused) {
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(!(atomic_load_explicit(&y, memory_order_relaxed) == 2 && r1 == 0));
    return 0;
}
