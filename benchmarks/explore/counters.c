// A table of counters, indexed by what a generator of random numbers gives, modulus a prime.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#define TABLE 7

atomic_ulong state = 42;
atomic_uint table[TABLE];

static void *draws(void *unused) {
    for (int i = 0; i < N; i++) {
        unsigned long old = atomic_load(&state);
        while (!atomic_compare_exchange_strong(&state, &old, old * 6364136223846793005ul + 1442695040888963407ul))
            ;
        atomic_fetch_add(&table[(old >> 33) % TABLE], 1);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, draws, 0);
    draws(0);
    pthread_join(thread, 0);
    unsigned sum = 0;
    for (int i = 0; i < TABLE; i++)
        sum += table[i];
    assert(sum == 2 * N);
}
