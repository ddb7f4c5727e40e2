// Load buffering where the branch on what was loaded is in a function that has returned before the
// store.
//@ sc tso pso armv8 power riscv: holds: for a machine everything after a branch depends on it
//@ rc11: holds: it allows no load to see what its own thread writes later
//@ imm: holds: as on the machines below it, program order continues a control dependency
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, a, b;
static int r1, r2;

static int note(int seen, atomic_int *to) {
    if (seen) atomic_store_explicit(to, 1, memory_order_relaxed);
    return seen;
}

static void *thread_1(void *unused) {
    r1 = note(atomic_load_explicit(&x, memory_order_relaxed), &a);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused) {
    r2 = note(atomic_load_explicit(&y, memory_order_relaxed), &b);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
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
