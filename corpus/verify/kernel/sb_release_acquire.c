// Store buffering with release and acquire.
//@ tso power lkmm: assert fails: neither keeps a store before a later load
//@ armv8: holds: there the two instructions stay in order
#include <assert.h>
#include <lkmm.h>

static int x, y, r1, r2;

static void *left(void *unused) {
    smp_store_release(&x, 1);
    r1 = smp_load_acquire(&y);
    return unused;
}

static void *right(void *unused) {
    smp_store_release(&y, 1);
    r2 = smp_load_acquire(&x);
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
