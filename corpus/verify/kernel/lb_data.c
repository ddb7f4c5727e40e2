// Load buffering where what is stored is what was loaded.
//@ sc tso armv8 power riscv lkmm: holds: values do not come out of thin air
#include <assert.h>
#include <lkmm.h>

static int x, y, r1, r2;

static void *left(void *unused) {
    r1 = READ_ONCE(x);
    WRITE_ONCE(y, r1);
    return unused;
}

static void *right(void *unused) {
    r2 = READ_ONCE(y);
    WRITE_ONCE(x, r2);
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
