// Two writers, and two readers that may disagree about their order.
//@ sc tso: holds: there is one order of the stores for all
//@ power lkmm: assert fails: the loads may be swapped
#include <assert.h>
#include <lkmm.h>

static int x, y, r1, r2, r3, r4;

static void *one(void *unused) {
    WRITE_ONCE(x, 1);
    return unused;
}

static void *two(void *unused) {
    WRITE_ONCE(y, 1);
    return unused;
}

static void *three(void *unused) {
    r1 = READ_ONCE(x);
    r2 = READ_ONCE(y);
    return unused;
}

static void *four(void *unused) {
    r3 = READ_ONCE(y);
    r4 = READ_ONCE(x);
    return unused;
}

int main(void) {
    pthread_t t1, t2, t3, t4;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_create(&t3, 0, three, 0);
    pthread_create(&t4, 0, four, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    pthread_join(t4, 0);
    assert(!(r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0));
    return 0;
}
