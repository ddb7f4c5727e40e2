// Store buffering where the stores are seq_cst exchanges and the loads relaxed.
//@ sc tso pso relaxed: holds: a locked instruction waits until the store buffer is empty
//@ armv8: holds: nothing overtakes an atomic instruction that acquires and releases
//@ power rc11: assert fails: only the exchanges are seq_cst, and isync does not wait for their stores
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2;

static void *thread_1(void *unused) {
    atomic_exchange(&x, 1);
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused) {
    atomic_exchange(&y, 1);
    r2 = atomic_load_explicit(&x, memory_order_relaxed);
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
