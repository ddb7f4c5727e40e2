// A sequence lock around a message with a checksum: a reader that sees no change sees a right sum.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

atomic_uint sequence, word[2], sum;

static unsigned checksum(unsigned a, unsigned b) {
    unsigned crc = ~0u;
    unsigned data[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 4; bit++)
            crc = crc >> 1 ^ (crc & 1) * 0xedb88320u;
    }
    return ~crc;
}

static void *writer(void *unused) {
    for (unsigned i = 1; i <= N; i++) {
        atomic_store(&sequence, 2 * i - 1);
        atomic_store(&word[0], i * 40503u);
        atomic_store(&word[1], i * 2654435761u);
        atomic_store(&sum, checksum(i * 40503u, i * 2654435761u));
        atomic_store(&sequence, 2 * i);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    atomic_store(&sum, checksum(0, 0));
    pthread_create(&thread, 0, writer, 0);
    unsigned before = atomic_load(&sequence);
    unsigned a = atomic_load(&word[0]), b = atomic_load(&word[1]), seen = atomic_load(&sum);
    if (before % 2 == 0 && atomic_load(&sequence) == before)
        assert(checksum(a, b) == seen);
    pthread_join(thread, 0);
}
