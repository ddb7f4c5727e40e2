// Independent reads of independent writes with a full fence between the loads.
//@ all: holds: what a reader saw before a seq_cst fence is seen by everybody after it
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int x, y;
static int r1, r2, r3, r4;

static int thread_1(void *unused) {
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

static int thread_2(void *unused) {
    (void)unused;
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static int thread_3(void *unused) {
    (void)unused;
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    r2 = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

static int thread_4(void *unused) {
    (void)unused;
    r3 = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    r4 = atomic_load_explicit(&x, memory_order_relaxed);
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
