// Independent reads of independent writes with release stores and acquire loads.
//@ sc tso pso relaxed armv8 riscv: holds: the loads are in order, and a store is seen by all others at once
//@ power rc11: assert fails: the two stores may reach the two readers in different orders
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int x, y;
static int r1, r2, r3, r4;

static int thread_1(void *unused) {
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_release);
    return 0;
}

static int thread_2(void *unused) {
    (void)unused;
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static int thread_3(void *unused) {
    (void)unused;
    r1 = atomic_load_explicit(&x, memory_order_acquire);
    r2 = atomic_load_explicit(&y, memory_order_acquire);
    return 0;
}

static int thread_4(void *unused) {
    (void)unused;
    r3 = atomic_load_explicit(&y, memory_order_acquire);
    r4 = atomic_load_explicit(&x, memory_order_acquire);
    return 0;
}

int main(void) {
    thrd_t t1, t2, t3, t4;
    thrd_create(&t1, thread_1, 0);
    thrd_create(&t2, thread_2, 0);
    thrd_create(&t3, thread_3, 0);
    thrd_create(&t4, thread_4, 0);
    thrd_join(t1, 0);
    thrd_join(t2, 0);
    thrd_join(t3, 0);
    thrd_join(t4, 0);
    assert(!(r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0));
    return 0;
}
