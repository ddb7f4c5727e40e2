// Message passing by macros of one's own, which are volatile accesses as in the kernel.
//@ sc tso: holds: the machine keeps the accesses in order
//@ lkmm: assert fails: they are READ_ONCE and WRITE_ONCE, which order nothing
#include <assert.h>
#include <lkmm.h>

#define READ_MINE(object) (*(const volatile int *)&(object))
#define WRITE_MINE(object, value) (*(volatile int *)&(object) = (value))
static int x, y, r1, r2;

static void *writer(void *unused) {
    WRITE_MINE(x, 1);
    WRITE_MINE(y, 1);
    return unused;
}

static void *reader(void *unused) {
    r1 = READ_MINE(y);
    r2 = READ_MINE(x);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, writer, 0);
    pthread_create(&t2, 0, reader, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(!(r1 == 1 && r2 == 0));
    return 0;
}
