// A grace period between two stores, and a section that looks at them before its end.
//@ lkmm: holds: the grace period waits for a section also if something is wrong in it
#include <assert.h>
#include <lkmm.h>

static int x, y;

static void *reader(void *unused) {
    rcu_read_lock();
    int first = READ_ONCE(y);
    int second = READ_ONCE(x);
    assert(!(first == 0 && second == 1));
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
    return 0;
}
