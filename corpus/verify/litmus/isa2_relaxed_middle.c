// A message is handed on by a thread that does not release.
//@ sc tso pso relaxed armv8 power riscv: holds: the store of the middle thread stays behind its acquire load, and the first release covers the rest
//@ rc11: assert fails: nothing connects the relaxed store with the last thread
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int x, y, z;

static int thread_1(void *unused) {
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static int thread_2(void *unused) {
    (void)unused;
    if (atomic_load_explicit(&y, memory_order_acquire))
        atomic_store_explicit(&z, 1, memory_order_relaxed);
    return 0;
}

static int thread_3(void *unused) {
    (void)unused;
    if (atomic_load_explicit(&z, memory_order_acquire))
        assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
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
