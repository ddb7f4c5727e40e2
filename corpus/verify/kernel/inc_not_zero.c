// A user takes an object only as long as somebody else has it.
//@ sc tso armv8 power riscv lkmm: holds: from zero nobody takes it
#include <assert.h>
#include <lkmm.h>

static atomic_t users = ATOMIC_INIT(1);
static int freed;

static void *owner(void *unused) {
    if (atomic_dec_and_test(&users))
        WRITE_ONCE(freed, 1);
    return unused;
}

static void *user(void *unused) {
    if (atomic_inc_not_zero(&users)) {
        assert(!READ_ONCE(freed));
        if (atomic_dec_and_test(&users))
            WRITE_ONCE(freed, 1);
    }
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, owner, 0);
    pthread_create(&t2, 0, user, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(freed && atomic_read(&users) == 0);
    return 0;
}
