// The lock is held when the thread starts, and given back by main.
//@ sc tso armv8 power riscv lkmm: holds: the thread waits for the lock, and sees what was written under it
#include <assert.h>
#include <lkmm.h>

static DEFINE_SPINLOCK(lock);
static int data;

static void *waiting(void *unused) {
    spin_lock(&lock);
    assert(data == 1);
    spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t1;
    spin_lock(&lock);
    pthread_create(&t1, 0, waiting, 0);
    data = 1;
    spin_unlock(&lock);
    pthread_join(t1, 0);
    return 0;
}
