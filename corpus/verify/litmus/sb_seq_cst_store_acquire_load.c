// Store buffering with seq_cst stores, but only acquire loads.
//@ sc tso pso relaxed: holds: the full fence stands behind a seq_cst store
//@ armv8: holds: LDAR does not overtake an earlier STLR
//@ power riscv rc11: assert fails: the full fence belongs to the seq_cst load, and these loads are not
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2;

static void *thread_1(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    r1 = atomic_load_explicit(&y, memory_order_acquire);
    return unused;
}

static void *thread_2(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    r2 = atomic_load_explicit(&x, memory_order_acquire);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(r1 == 1 || r2 == 1);
    return 0;
}
