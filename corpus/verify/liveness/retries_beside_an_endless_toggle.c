// One thread toggles a bit for ever; another one wants to set another bit, and may lose each time.
//@ sc tso: liveness fails: a retry loop makes progress only for some thread, not for each
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int bits;

static void *toggles(void *unused) {
    for (;;)
        atomic_fetch_xor(&bits, 1);
    return unused;
}

static void *sets(void *unused) {
    int old = atomic_load(&bits);
    while (!atomic_compare_exchange_strong(&bits, &old, old | 2))
        ;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, toggles, 0);
    pthread_create(&b, 0, sets, 0);
    pthread_join(b, 0);
    exit(0);
}
