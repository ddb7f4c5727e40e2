// Message passing with smp_store_release and smp_load_acquire.
//@ sc tso pso armv8 power riscv rc11 lkmm: holds: the acquire sees all before the release
#include <assert.h>
#include <lkmm.h>

static int x, y, r1, r2;

static void *writer(void *unused) {
    WRITE_ONCE(x, 1);
    smp_store_release(&y, 1);
    return unused;
}

static void *reader(void *unused) {
    r1 = smp_load_acquire(&y);
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
