// Message passing where barrier() keeps the compiler from swapping, and nobody the machine.
//@ sc tso: holds: the machine keeps both in order
//@ armv8 power riscv lkmm: assert fails: barrier() orders nothing for other processors
#include <assert.h>
#include <lkmm.h>

static int x, y, r1, r2;

static void *writer(void *unused) {
    WRITE_ONCE(x, 1);
    barrier();
    WRITE_ONCE(y, 1);
    return unused;
}

static void *reader(void *unused) {
    r1 = READ_ONCE(y);
    barrier();
    r2 = READ_ONCE(x);
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
