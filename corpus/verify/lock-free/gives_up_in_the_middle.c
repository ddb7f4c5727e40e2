// A lock that is tried twice: the count decides in the middle of the loop whether to go on.
//@ sc rc11 armv8: assert fails: a weak compare-and-swap may fail both times although the lock is free
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int held, other;
static int tries;

static int try_lock(void) {
    int n = 0, expected = 0;
    while (!atomic_compare_exchange_weak(&held, &expected, 1)) {
        expected = 0;
        if (++n == 2) return 0;
        tries++;
    }
    return 1;
}

static void *writes(void *unused) {
    other = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writes, 0);
    int seen = other;
    int taken = try_lock();
    if (seen == 1) assert(taken);
    pthread_join(thread, 0);
    return 0;
}
