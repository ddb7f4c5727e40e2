// Store buffering where a cmpxchg that fails stands between store and load.
//@ lkmm: assert fails: one that fails orders nothing
#include <assert.h>
#include <lkmm.h>

static int a, b;
static int x, y, r1, r2;

static void *left(void *unused) {
    WRITE_ONCE(x, 1);
    cmpxchg(&a, 1, 2);
    r1 = READ_ONCE(y);
    return unused;
}

static void *right(void *unused) {
    WRITE_ONCE(y, 1);
    cmpxchg(&b, 1, 2);
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
