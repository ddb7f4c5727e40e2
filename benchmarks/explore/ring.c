// A ring of records of varying length: where each begins comes from a product.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#define ROOM 32

atomic_uint ring[ROOM];
atomic_uint head;

static void put(unsigned kind, unsigned count) {
    unsigned length = kind * count + 1;
    unsigned at = atomic_fetch_add(&head, length);
    assert(at + length <= ROOM);
    atomic_store(&ring[at], kind * 16 + count);
}

static void *other(void *unused) {
    for (unsigned i = 1; i <= N; i++)
        put(i, 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    for (unsigned i = 1; i <= N; i++)
        put(2, i);
    pthread_join(thread, 0);
    unsigned at = 0, records = 0;
    while (at < head) {
        unsigned record = atomic_load(&ring[at]);
        at += (record / 16) * (record % 16) + 1;
        records++;
    }
    assert(at == head && records == 2 * N);
}
