// A Bloom filter: what was added is found, however the bits are set at the same time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#define WORDS 2

atomic_uint bits[WORDS];

static unsigned mixed(unsigned key, unsigned seed) {
    key = (key ^ seed) * 0x9e3779b1u;
    key ^= key >> 15;
    return key * 0x85ebca77u;
}

static void add(unsigned key) {
    for (unsigned seed = 1; seed <= 2; seed++) {
        unsigned bit = mixed(key, seed) % (32 * WORDS);
        atomic_fetch_or(&bits[bit / 32], 1u << bit % 32);
    }
}

static int has(unsigned key) {
    for (unsigned seed = 1; seed <= 2; seed++) {
        unsigned bit = mixed(key, seed) % (32 * WORDS);
        if (!(atomic_load(&bits[bit / 32]) >> bit % 32 & 1))
            return 0;
    }
    return 1;
}

static void *other(void *unused) {
    for (unsigned i = 0; i < N; i++)
        add(100 + i);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    for (unsigned i = 0; i < N; i++)
        add(200 + i);
    for (unsigned i = 0; i < N; i++)
        assert(has(200 + i));
    pthread_join(thread, 0);
    for (unsigned i = 0; i < N; i++)
        assert(has(100 + i));
}
