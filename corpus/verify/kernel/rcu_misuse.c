// A grace period is waited for inside a section.
//@ lkmm: assert fails, rest cut: the section would have to end first
#include <assert.h>
#include <lkmm.h>

static int x;

static void *one(void *unused) {
    rcu_read_lock();
    WRITE_ONCE(x, 1);
    synchronize_rcu();
    rcu_read_unlock();
    return unused;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, 0, one, 0);
    pthread_join(t1, 0);
    return 0;
}
