// A thread waits for a flag by smp_cond_load_acquire.
//@ sc tso armv8 power riscv lkmm: holds: the flag comes, and with it the data
#include <assert.h>
#include <lkmm.h>

static int data, flag;

static void *writer(void *unused) {
    data = 1;
    smp_store_release(&flag, 1);
    return unused;
}

static void *reader(void *unused) {
    smp_cond_load_acquire(&flag, VAL == 1);
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
