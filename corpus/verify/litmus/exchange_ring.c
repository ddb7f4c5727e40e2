// Three exchanges hand the values round: none is lost, none is seen twice.
//@ all: holds: each exchange reads the write just before its own
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int x;
static int r1, r2, r3;

static int thread_1(void *unused) {
    (void)unused;
    r1 = atomic_exchange_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

static int thread_2(void *unused) {
    (void)unused;
    r2 = atomic_exchange_explicit(&x, 2, memory_order_relaxed);
    return 0;
}

static int thread_3(void *unused) {
    (void)unused;
    r3 = atomic_exchange_explicit(&x, 3, memory_order_relaxed);
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
    int last = atomic_load(&x);
    assert(r1 + r2 + r3 + last == 6);
    assert(r1 != r2 && r2 != r3 && r1 != r3);
    return 0;
}
