// Load buffering where the branch is in a function that has returned before the store.
//@ armv8 power riscv: holds: for a machine everything behind a branch depends on it
//@ lkmm: assert fails: nothing depends on a branch when its function has returned
#include <assert.h>
#include <lkmm.h>

static int a, b;

static int note(int seen, int *to) {
    if (seen)
        WRITE_ONCE(*to, 1);
    return seen;
}

static int x, y, r1, r2;

static void *left(void *unused) {
    r1 = note(READ_ONCE(x), &a);
    WRITE_ONCE(y, 1);
    return unused;
}

static void *right(void *unused) {
    r2 = note(READ_ONCE(y), &b);
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
