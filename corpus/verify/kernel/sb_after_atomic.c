// Store buffering with atomic_inc and smp_mb__after_atomic.
//@ sc tso armv8 power riscv lkmm: holds: the barrier makes the increment ordered before what follows
#include <assert.h>
#include <lkmm.h>

static atomic_t x, y;
static int r1, r2;

static void *left(void *unused) {
    atomic_inc(&x);
    smp_mb__after_atomic();
    r1 = atomic_read(&y);
    return unused;
}

static void *right(void *unused) {
    atomic_inc(&y);
    smp_mb__after_atomic();
    r2 = atomic_read(&x);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, left, 0);
    pthread_create(&t2, 0, right, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(!(r1 == 0 && r2 == 0));
    return 0;
}
