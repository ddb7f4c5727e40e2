// A store, a release by another thread that has seen it, and a reader with smp_rmb.
//@ sc tso armv8 power riscv lkmm: holds: the release passes on what its thread has seen
#include <assert.h>
#include <lkmm.h>

static int x, y, r1, r2, r3;

static void *one(void *unused) {
    WRITE_ONCE(x, 1);
    return unused;
}

static void *two(void *unused) {
    r1 = READ_ONCE(x);
    smp_store_release(&y, 1);
    return unused;
}

static void *three(void *unused) {
    r2 = READ_ONCE(y);
    smp_rmb();
    r3 = READ_ONCE(x);
    return unused;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_create(&t3, 0, three, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    assert(!(r1 == 1 && r2 == 1 && r3 == 0));
    return 0;
}
