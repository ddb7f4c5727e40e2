// Load buffering in the kernel's words.
//@ sc tso pso: holds: stores stay behind loads
//@ armv8 power riscv lkmm: assert fails: each store may come before the load
#include <assert.h>
#include <lkmm.h>

static int x, y, r1, r2;

static void *left(void *unused) {
    r1 = READ_ONCE(x);
    WRITE_ONCE(y, 1);
    return unused;
}

static void *right(void *unused) {
    r2 = READ_ONCE(y);
    WRITE_ONCE(x, 1);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, left, 0);
    pthread_create(&t2, 0, right, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(!(r1 == 1 && r2 == 1));
    return 0;
}
