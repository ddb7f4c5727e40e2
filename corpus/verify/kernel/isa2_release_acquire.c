// Message passing through a third thread, by release and acquire.
//@ sc tso armv8 power riscv lkmm: holds: a release passes on what its thread has acquired
#include <assert.h>
#include <lkmm.h>

static int x, y, z, r1, r2, r3;

static void *one(void *unused) {
    WRITE_ONCE(x, 1);
    smp_store_release(&y, 1);
    return unused;
}

static void *two(void *unused) {
    r1 = smp_load_acquire(&y);
    smp_store_release(&z, 1);
    return unused;
}

static void *three(void *unused) {
    r2 = smp_load_acquire(&z);
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
