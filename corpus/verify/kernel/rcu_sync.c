// A grace period between two stores, and a section that reads them in the same order.
//@ lkmm: holds: a section that does not see the first store has ended before the second
#include <assert.h>
#include <lkmm.h>

static int x, y, r1, r2;

static void *reader(void *unused) {
    rcu_read_lock();
    r2 = READ_ONCE(y);
    r1 = READ_ONCE(x);
    rcu_read_unlock();
    return unused;
}

static void *updater(void *unused) {
    WRITE_ONCE(y, 1);
    synchronize_rcu();
    WRITE_ONCE(x, 1);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, reader, 0);
    pthread_create(&t2, 0, updater, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(!(r1 == 1 && r2 == 0));
    return 0;
}
