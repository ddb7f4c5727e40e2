// Two sections after each other between two threads, and one grace period.
//@ lkmm: assert fails: one grace period does not wait for a section that another one waits for
#include <assert.h>
#include <lkmm.h>

static int x, y, z, r1, r2, r3;

static void *updater(void *unused) {
    WRITE_ONCE(x, 1);
    synchronize_rcu();
    r1 = READ_ONCE(y);
    return unused;
}

static void *first(void *unused) {
    rcu_read_lock();
    WRITE_ONCE(y, 1);
    r2 = READ_ONCE(z);
    rcu_read_unlock();
    return unused;
}

static void *second(void *unused) {
    rcu_read_lock();
    WRITE_ONCE(z, 1);
    r3 = READ_ONCE(x);
    rcu_read_unlock();
    return unused;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, 0, updater, 0);
    pthread_create(&t2, 0, first, 0);
    pthread_create(&t3, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    assert(!(r1 == 0 && r2 == 0 && r3 == 0));
    return 0;
}
