// Store buffering where a lock is given back and another taken between store and load, with smp_mb__after_unlock_lock.
//@ lkmm: holds: the barrier makes one of the two
#include <assert.h>
#include <lkmm.h>

static DEFINE_SPINLOCK(a);
static DEFINE_SPINLOCK(b);
static int x, y, r1, r2;

static void *left(void *unused) {
    spin_lock(&a);
    WRITE_ONCE(x, 1);
    spin_unlock(&a);
    spin_lock(&b);
    smp_mb__after_unlock_lock();
    r1 = READ_ONCE(y);
    spin_unlock(&b);
    return unused;
}

static void *right(void *unused) {
    WRITE_ONCE(y, 1);
    smp_mb();
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
