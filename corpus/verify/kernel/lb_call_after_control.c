// Load buffering where each store is in a function that is called behind a branch on the load.
//@ armv8 power riscv: holds: for a machine everything behind a branch depends on it
//@ lkmm: assert fails: the branch decides about something else than the call
#include <assert.h>
#include <lkmm.h>

static int a, b;

static void note(int *to) {
    WRITE_ONCE(*to, 1);
}

static int x, y, r1, r2;

static void *left(void *unused) {
    r1 = READ_ONCE(x);
    if (r1)
        WRITE_ONCE(a, 1);
    note(&y);
    return unused;
}

static void *right(void *unused) {
    r2 = READ_ONCE(y);
    if (r2)
        WRITE_ONCE(b, 1);
    note(&x);
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
