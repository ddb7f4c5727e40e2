// A lock-free map of four slots with open addressing; keys are hashed by FNV-1a and murmur's finaliser.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#define SLOTS 4

atomic_uint keys[SLOTS];
atomic_uint values[SLOTS];

static unsigned fnv(unsigned key) {
    unsigned hash = 2166136261u;
    for (int i = 0; i < 4; i++) {
        hash ^= (key >> (8 * i)) & 255;
        hash *= 16777619u;
    }
    return hash;
}

static unsigned murmur(unsigned hash) {
    hash ^= hash >> 16;
    hash *= 0x85ebca6bu;
    hash ^= hash >> 13;
    hash *= 0xc2b2ae35u;
    hash ^= hash >> 16;
    return hash;
}

static int insert(unsigned key, unsigned value) {
    unsigned at = murmur(fnv(key)) % SLOTS;
    for (int probe = 0; probe < SLOTS; probe++) {
        unsigned none = 0;
        if (atomic_compare_exchange_strong(&keys[at], &none, key) || none == key) {
            atomic_store(&values[at], value);
            return 1;
        }
        at = (at + 1) % SLOTS;
    }
    return 0;
}

static unsigned find(unsigned key) {
    unsigned at = murmur(fnv(key)) % SLOTS;
    for (int probe = 0; probe < SLOTS; probe++) {
        unsigned found = atomic_load(&keys[at]);
        if (found == key)
            return atomic_load(&values[at]);
        if (found == 0)
            return 0;
        at = (at + 1) % SLOTS;
    }
    return 0;
}

static void *other(void *unused) {
    for (unsigned i = 1; i <= N; i++)
        assert(insert(1000 * i, i));
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    assert(insert(7, 70));
    unsigned seen = find(1000);
    assert(seen == 0 || seen == 1);
    pthread_join(thread, 0);
    assert(find(7) == 70);
    for (unsigned i = 1; i <= N; i++)
        assert(find(1000 * i) == i);
}
