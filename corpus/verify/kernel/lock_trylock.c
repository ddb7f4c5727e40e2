// A plain counter under a spinlock that one thread only tries to take.
//@ sc tso armv8 power riscv rc11 lkmm: holds: a lock that was not had guards nothing, and nothing was done
#include <assert.h>
#include <lkmm.h>

static DEFINE_SPINLOCK(lock);
static int counter, tried;

static void *one(void *unused) {
    spin_lock(&lock);
    counter++;
    spin_unlock(&lock);
    return unused;
}

static void *two(void *unused) {
    if (spin_trylock(&lock)) {
        counter++;
        spin_unlock(&lock);
        tried = 1;
    }
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(counter == 1 + tried);
    return 0;
}
