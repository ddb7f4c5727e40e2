// Store buffering with atomic_inc, which gives no value and orders nothing.
//@ tso: holds: the increment is a barrier on this machine
//@ armv8 power lkmm: assert fails: the load may come first
#include <assert.h>
#include <lkmm.h>

static atomic_t x, y;
static int r1, r2;

static void *left(void *unused) {
    atomic_inc(&x);
    r1 = atomic_read(&y);
    return unused;
}

static void *right(void *unused) {
    atomic_inc(&y);
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
