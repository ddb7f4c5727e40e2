// The same with full fences.
//@ all: holds: coherence and the load agree with the order of the fences
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int x, y;
static int r1;

static int thread_1(void *unused) {
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static int thread_2(void *unused) {
    (void)unused;
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void) {
    thrd_t t1, t2;
    thrd_create(&t1, thread_1, 0);
    thrd_create(&t2, thread_2, 0);
    thrd_join(t1, 0);
    thrd_join(t2, 0);
    assert(!(atomic_load_explicit(&y, memory_order_relaxed) == 2 && r1 == 0));
    return 0;
}
