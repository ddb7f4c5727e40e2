// Message passing in the kernel's words, with nothing but READ_ONCE and WRITE_ONCE.
//@ sc tso: holds: stores are seen in order and loads are performed in order
//@ armv8 power riscv lkmm: assert fails: neither the stores nor the loads need to stay in order
#include <assert.h>
#include <lkmm.h>

static int x, y, r1, r2;

static void *writer(void *unused) {
    WRITE_ONCE(x, 1);
    WRITE_ONCE(y, 1);
    return unused;
}

static void *reader(void *unused) {
    r1 = READ_ONCE(y);
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
