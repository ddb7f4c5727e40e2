// Store buffering where smp_mb__before_atomic stands before an increment between store and load.
//@ sc tso armv8 power riscv lkmm: holds: the barrier orders what is before it with the increment and all behind it
#include <assert.h>
#include <lkmm.h>

static atomic_t a, b;
static int x, y, r1, r2;

static void *left(void *unused) {
    WRITE_ONCE(x, 1);
    smp_mb__before_atomic();
    atomic_inc(&a);
    r1 = READ_ONCE(y);
    return unused;
}

static void *right(void *unused) {
    WRITE_ONCE(y, 1);
    smp_mb__before_atomic();
    atomic_inc(&b);
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
