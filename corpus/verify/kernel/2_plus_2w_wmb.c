// Two threads write two locations in opposite orders, with smp_wmb.
//@ sc tso armv8: holds: the stores of each thread are seen in order by all
//@ lkmm: assert fails: smp_wmb orders stores only as seen by one who reads
#include <assert.h>
#include <lkmm.h>

static int x, y;

static void *left(void *unused) {
    WRITE_ONCE(x, 1);
    smp_wmb();
    WRITE_ONCE(y, 2);
    return unused;
}

static void *right(void *unused) {
    WRITE_ONCE(y, 1);
    smp_wmb();
    WRITE_ONCE(x, 2);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, left, 0);
    pthread_create(&t2, 0, right, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(!(x == 1 && y == 1));
    return 0;
}
