// An increment made of an atomic load and an atomic store.
//@ all: assert fails: both threads may load before either stores
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int x;

static int thread_1(void *unused) {
    (void)unused;
    atomic_store(&x, atomic_load(&x) + 1);
    return 0;
}

static int thread_2(void *unused) {
    (void)unused;
    atomic_store(&x, atomic_load(&x) + 1);
    return 0;
}

int main(void) {
    thrd_t t1, t2;
    thrd_create(&t1, thread_1, 0);
    thrd_create(&t2, thread_2, 0);
    thrd_join(t1, 0);
    thrd_join(t2, 0);
    assert(atomic_load(&x) == 2);
    return 0;
}
