// The flag is raised by a release store and then raised again by a relaxed store of another thread.
//@ sc tso pso relaxed armv8 power riscv: holds: the second store depends on the load, and orders add up along the chain
//@ rc11: race fails, assert fails: a store of another thread ends the release sequence
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static int data;
static atomic_int flag;

static int thread_1(void *unused) {
    (void)unused;
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return 0;
}

static int thread_2(void *unused) {
    (void)unused;
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
        atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return 0;
}

static int thread_3(void *unused) {
    (void)unused;
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        assert(data == 1);
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
    return 0;
}
