// Store buffering in a ring of three threads, sequentially consistent.
//@ all: holds: the last load in the order of seq_cst accesses sees a store
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int x, y, z;
static int r1, r2, r3;

static int thread_1(void *unused) {
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    r1 = atomic_load_explicit(&y, memory_order_seq_cst);
    return 0;
}

static int thread_2(void *unused) {
    (void)unused;
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    r2 = atomic_load_explicit(&z, memory_order_seq_cst);
    return 0;
}

static int thread_3(void *unused) {
    (void)unused;
    atomic_store_explicit(&z, 1, memory_order_seq_cst);
    r3 = atomic_load_explicit(&x, memory_order_seq_cst);
    return 0;
}

int main(void) {
    thrd_t t1, t2, t3;
    thrd_create(&t1, thread_1, 0);
    thrd_create(&t2, thread_2, 0);
    thrd_create(&t3, thread_3, 0);
    thrd_join(t1, 0);
    thrd_join(t2, 0);
    thrd_join(t3, 0);
    assert(r1 == 1 || r2 == 1 || r3 == 1);
    return 0;
}
