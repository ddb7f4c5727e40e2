// Load buffering where the store of one thread is after the join of a branch on what was loaded, and
// the path that was taken to it is empty.
//@ sc tso pso armv8 power riscv: holds: for a machine everything after a branch depends on it
//@ relaxed: assert fails: it keeps no load before a later store
//@ rc11: holds: it allows no load to see what its own thread writes later
//@ imm: holds: program order continues a control dependency (POPL 2019: `ctrl; po` is in `ctrl`)
//@ c11: assert fails: it knows no dependencies
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static int r1, r2;

static void *thread_1(void *unused) {
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    if (!seen) atomic_store_explicit(&z, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    r1 = seen;
    return unused;
}

static void *thread_2(void *unused) {
    r2 = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&x, r2, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(!(r1 == 1 && r2 == 1));
    return 0;
}
