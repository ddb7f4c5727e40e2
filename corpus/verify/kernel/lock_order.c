// Two threads take two spinlocks in opposite orders.
//@ sc tso armv8 power riscv lkmm: deadlock fails: each may hold the lock that the other waits for
#include <assert.h>
#include <lkmm.h>

static DEFINE_SPINLOCK(a);
static DEFINE_SPINLOCK(b);

static void *one(void *unused) {
    spin_lock(&a);
    spin_lock(&b);
    spin_unlock(&b);
    spin_unlock(&a);
    return unused;
}

static void *two(void *unused) {
    spin_lock(&b);
    spin_lock(&a);
    spin_unlock(&a);
    spin_unlock(&b);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
