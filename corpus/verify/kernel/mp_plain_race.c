// Message passing of plain data by WRITE_ONCE and READ_ONCE.
//@ sc tso: holds: the machine keeps the accesses in order
//@ armv8 power riscv: assert fails: it does not
//@ lkmm: assert fails, race fails: nothing orders the plain store before the plain load
#include <assert.h>
#include <lkmm.h>

static int data, flag;

static void *writer(void *unused) {
    data = 1;
    WRITE_ONCE(flag, 1);
    return unused;
}

static void *reader(void *unused) {
    if (READ_ONCE(flag))
        assert(data == 1);
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
