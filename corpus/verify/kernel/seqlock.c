// A reader that tries again while a writer writes, in the kernel's words.
//@ sc tso armv8 power riscv lkmm: holds: what was read while the count was even and the same is whole
#include <assert.h>
#include <lkmm.h>

static int count, a, b;

static void *writer(void *unused) {
    WRITE_ONCE(count, 1);
    smp_wmb();
    WRITE_ONCE(a, 1);
    WRITE_ONCE(b, 1);
    smp_wmb();
    WRITE_ONCE(count, 2);
    return unused;
}

static void *reader(void *unused) {
    int before = READ_ONCE(count);
    smp_rmb();
    int first = READ_ONCE(a), second = READ_ONCE(b);
    smp_rmb();
    if (!(before & 1) && READ_ONCE(count) == before)
        assert(first == second);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, writer, 0);
    pthread_create(&t2, 0, reader, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
