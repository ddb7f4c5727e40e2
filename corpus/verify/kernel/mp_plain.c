// Message passing of plain data by release and acquire.
//@ sc tso pso armv8 power riscv rc11 lkmm: holds: whoever sees the flag sees the data, and nobody else reads it
#include <assert.h>
#include <lkmm.h>

static int data, flag;

static void *writer(void *unused) {
    data = 1;
    smp_store_release(&flag, 1);
    return unused;
}

static void *reader(void *unused) {
    if (smp_load_acquire(&flag))
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
