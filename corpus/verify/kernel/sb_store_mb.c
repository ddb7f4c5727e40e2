// Store buffering with smp_store_mb.
//@ sc tso armv8 power riscv lkmm: holds: it is a store and smp_mb
#include <assert.h>
#include <lkmm.h>

static int x, y, r1, r2;

static void *left(void *unused) {
    smp_store_mb(x, 1);
    r1 = READ_ONCE(y);
    return unused;
}

static void *right(void *unused) {
    smp_store_mb(y, 1);
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
