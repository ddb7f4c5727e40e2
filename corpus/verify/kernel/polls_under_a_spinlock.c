// A processor looks again and again, with a spinlock, whether data is there.
//@ lkmm all: holds: the data is written before the spinlock is given back with the flag set
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
    data = 1;
    spin_lock(&lock);
    ready = 1;
    spin_unlock(&lock);
    pthread_join(a, 0);
    return 0;
}
