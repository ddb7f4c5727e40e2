// A test-and-set lock whose waiters pause twice as long each time, by a pointer to a local and with a
// volatile counter, and count their attempts for a statistic (the style of Concurrency Kit).
//$ verify FILE --model sc --model tso --model armv8 --model power --model rc11 --model lkmm
//$ verify FILE -DUNCAPPED --model armv8 --model rc11
//$ verify FILE -DWEAK --property assert --model armv8
//$ verify FILE -DSHARED --property assert --model armv8 --time-limit 20 --max-unroll 4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define BACKOFF_CEILING ((1 << 20) - 1)
#define BACKOFF_INITIALIZER (1 << 9)

#ifdef WEAK
#define ACQUIRES memory_order_relaxed
#else
#define ACQUIRES memory_order_acquire
#endif

static inline void backoff_eb(unsigned int *c) {
    volatile unsigned int i;
    unsigned int ceiling;
    ceiling = *c;
    for (i = 0; i < ceiling; i++)
        ;
#ifdef UNCAPPED
    *c = ceiling * 2;
#else
    *c = ceiling << (ceiling < BACKOFF_CEILING);
#endif
}

static struct lock {
    atomic_uint value;
} guard;
static int counter;

struct statistics {
    unsigned long attempts, acquired;
};

static struct statistics all; /* of both threads */

static void lock_eb(struct lock *lock, struct statistics *statistics) {
    unsigned int backoff = BACKOFF_INITIALIZER;
    while (atomic_exchange_explicit(&lock->value, 1, ACQUIRES)) {
        do {
            backoff_eb(&backoff);
#ifdef SHARED
            __atomic_fetch_add(&all.attempts, 1, __ATOMIC_RELAXED);
#else
            statistics->attempts++;
#endif
        } while (atomic_load_explicit(&lock->value, memory_order_relaxed));
    }
    statistics->acquired++;
}

static void unlock(struct lock *lock) {
    atomic_store_explicit(&lock->value, 0, memory_order_release);
}

static void *adds(void *unused) {
    struct statistics own = { 0, 0 };
    lock_eb(&guard, &own);
    counter++;
    all.acquired += own.acquired;
#ifndef SHARED
    all.attempts += own.attempts;
#endif
    unlock(&guard);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, adds, NULL);
    adds(NULL);
    pthread_join(thread, NULL);
    assert(counter == 2 && all.acquired == 2);
    return (int)all.attempts;
}
