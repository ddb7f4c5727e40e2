// A ring of one producer and one consumer in the manner of Concurrency Kit: elements of any size.
//$ check FILE --test '( put put | get get )' --model sc --model tso --model armv8 --model power --model rc11 --model lkmm
//$ check FILE -DNO_FENCE --test '( put | get )' --model tso --model armv8
#include <fencepost.h>
#include <string.h>

struct ring { volatile unsigned int head; char pad[60]; volatile unsigned int tail; unsigned int mask; };
struct element { int key; int value; };
static struct ring ring = { .mask = 1 };
static struct element slots[2];

#ifdef NO_FENCE
#define STORE_FENCE() __asm__ volatile("" : : : "memory")
#define LOAD_FENCE() __asm__ volatile("" : : : "memory")
#else
#define STORE_FENCE() fp_fence("store-store|load-store")
#define LOAD_FENCE() fp_fence("load-load|load-store")
#endif

static inline _Bool enqueue(struct ring *ring, void *buffer, const void *entry, unsigned int size) {
    unsigned int consumer = ring->head;
    unsigned int producer = ring->tail;
    if (((producer + 1) & ring->mask) == (consumer & ring->mask)) return 0;
    buffer = (char *)buffer + size * (producer & ring->mask);
    LOAD_FENCE();
    memcpy(buffer, entry, size);
    STORE_FENCE();
    ring->tail = producer + 1;
    return 1;
}

static inline _Bool dequeue(struct ring *ring, const void *buffer, void *entry, unsigned int size) {
    unsigned int consumer = ring->head;
    unsigned int producer = ring->tail;
    if (consumer == producer) return 0;
    LOAD_FENCE();
    buffer = (const char *)buffer + size * (consumer & ring->mask);
    memcpy(entry, buffer, size);
    STORE_FENCE();
    ring->head = consumer + 1;
    return 1;
}

void init(void) { }
void put(void) {
    struct element e;
    e.key = fp_choose(1, 2);
    e.value = 10 * e.key;
    fp_observe("put", enqueue(&ring, slots, &e, sizeof e) ? e.key : 0);
}
void get(void) {
    struct element e;
    _Bool some = dequeue(&ring, slots, &e, sizeof e);
    fp_observe("some", some);
    fp_observe("key", some ? e.key : 0);
    fp_observe("value", some ? e.value : 0);
}
