// A processor looks again and again, with a spinlock, whether data is there; it
// is told so too early.
//@ lkmm rc11: assert fails, race fails: the data may be written when it is read
//@ sc tso pso relaxed armv8 power riscv: assert fails: the data may be written later
#include <assert.h>
#include <lkmm.h>
#include <pthread.h>

static DEFINE_SPINLOCK(lock);
static int ready, data;

static void *polls(void *unused) {
    int seen;
    do {
        spin_lock(&lock);
        seen = ready;
        spin_unlock(&lock);
    } while (!seen);
    assert(data == 1);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, polls, 0);
    spin_lock(&lock);
    ready = 1;
    spin_unlock(&lock);
    data = 1;
    pthread_join(a, 0);
    return 0;
}
