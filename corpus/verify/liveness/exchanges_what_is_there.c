// main waits in a loop that exchanges a counter by what is in it; a store of another thread changes
// nothing either.
//@ all: liveness fails: nobody ever sets what the two threads wait for
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, tries, done;

static void *waits(void *unused) {
    while (atomic_load_explicit(&done, memory_order_relaxed) != 2)
        ;
    return unused;
}

static void *resets(void *unused) {
    atomic_store_explicit(&ready, 0, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, waits, 0);
    pthread_create(&b, 0, resets, 0);
    while (atomic_load_explicit(&ready, memory_order_relaxed) != 1) {
        if (atomic_load_explicit(&tries, memory_order_relaxed) == 2)
            continue;
        atomic_exchange_explicit(&tries, 0, memory_order_relaxed);
    }
    return 0;
}
