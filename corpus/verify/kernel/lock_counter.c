// A plain counter under a spinlock.
//@ sc tso pso armv8 power riscv rc11 lkmm: holds: one thread at a time is between lock and unlock
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
    spin_lock(&lock);
    counter++;
    spin_unlock(&lock);
    return unused;
}

static void *three(void *unused) {
    spin_lock(&lock);
    counter++;
    spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_create(&t3, 0, three, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    assert(counter == 3);
    return 0;
}
