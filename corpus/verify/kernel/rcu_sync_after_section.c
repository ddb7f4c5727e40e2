// A reader whose second load is behind the end of its section.
//@ lkmm: assert fails: nobody waits for what is behind a section
#include <assert.h>
#include <lkmm.h>

static int x, y, r1, r2;

static void *reader(void *unused) {
    rcu_read_lock();
    r2 = READ_ONCE(y);
    rcu_read_unlock();
    r1 = READ_ONCE(x);
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
