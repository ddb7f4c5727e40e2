// A plain counter that one of two threads changes without the lock.
//@ sc tso armv8 power riscv: assert fails: an increment may be lost
//@ lkmm: assert fails, race fails: the lock does not help against who does not take it
#include <assert.h>
#include <lkmm.h>

static DEFINE_SPINLOCK(lock);
static int counter;

static void *one(void *unused) {
    spin_lock(&lock);
    counter++;
    spin_unlock(&lock);
    return unused;
}

static void *two(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(counter == 2);
    return 0;
}
