// Store buffering with release stores and acquire loads.
//@ sc: holds: no order is needed
//@ armv8: holds: LDAR does not overtake an earlier STLR
//@ tso pso relaxed power riscv rc11: assert fails: release and acquire say nothing about a store and a later load
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int x, y;
static int r1, r2;

static int thread_1(void *unused) {
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_release);
    r1 = atomic_load_explicit(&y, memory_order_acquire);
    return 0;
}

static int thread_2(void *unused) {
    (void)unused;
    atomic_store_explicit(&y, 1, memory_order_release);
    r2 = atomic_load_explicit(&x, memory_order_acquire);
    return 0;
}

int main(void) {
    thrd_t t1, t2;
    thrd_create(&t1, thread_1, 0);
    thrd_create(&t2, thread_2, 0);
    thrd_join(t1, 0);
    thrd_join(t2, 0);
    assert(r1 == 1 || r2 == 1);
    return 0;
}
