// Store buffering where smp_mb__before_atomic stands before no atomic operation.
//@ sc tso armv8 power riscv: holds: it is a full barrier everywhere but in the model
//@ lkmm: assert fails: it is promised to order only with an atomic operation behind it
#include <assert.h>
#include <lkmm.h>

static int x, y, r1, r2;

static void *left(void *unused) {
    WRITE_ONCE(x, 1);
    smp_mb__before_atomic();
    r1 = READ_ONCE(y);
    return unused;
}

static void *right(void *unused) {
    WRITE_ONCE(y, 1);
    smp_mb__before_atomic();
    r2 = READ_ONCE(x);
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
