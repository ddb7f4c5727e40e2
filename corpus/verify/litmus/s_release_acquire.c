// The same with release and acquire.
//@ all: holds: the first store happens before the last
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int x, y;
static int r1;

static int thread_1(void *unused) {
    (void)unused;
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static int thread_2(void *unused) {
    (void)unused;
    r1 = atomic_load_explicit(&y, memory_order_acquire);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    thrd_t t1, t2;
    thrd_create(&t1, thread_1, 0);
    thrd_create(&t2, thread_2, 0);
    thrd_join(t1, 0);
    thrd_join(t2, 0);
    assert(!(r1 == 1 && atomic_load_explicit(&x, memory_order_relaxed) == 2));
    return 0;
}
