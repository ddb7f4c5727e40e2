// Store buffering where a lock is taken between store and load.
//@ power lkmm: assert fails: taking a lock orders nothing that is before it
#include <assert.h>
#include <lkmm.h>

static DEFINE_SPINLOCK(a);
static DEFINE_SPINLOCK(b);
static int x, y, r1, r2;

static void *left(void *unused) {
    WRITE_ONCE(x, 1);
    spin_lock(&a);
    r1 = READ_ONCE(y);
    spin_unlock(&a);
    return unused;
}

static void *right(void *unused) {
    WRITE_ONCE(y, 1);
    spin_lock(&b);
    r2 = READ_ONCE(x);
    spin_unlock(&b);
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
