// A load orders two stores: the fence after the first orders it before the load, and a load stays
// before the stores that follow it. That nothing ever writes what is loaded does not matter.
//@ sc tso pso: holds: partial store order keeps loads before later stores
//@ rmo alpha relaxed armv8 power riscv rc11: assert fails: the two stores may be swapped
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int constant = 1;

static void *thread_1(void *unused) {
    atomic_store_explicit(&x, 2, memory_order_seq_cst);
    int n = constant;
    atomic_store_explicit(&y, n, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused) {
    int seen = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return seen ? &x : unused;
}

int main(void) {
    pthread_t t1, t2;
    void *seen;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, &seen);
    assert(!(seen && atomic_load_explicit(&x, memory_order_relaxed) == 2));
    return 0;
}
