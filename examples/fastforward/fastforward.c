/* The FastForward ring for one producer and one consumer (Giacomoni, Moseley, Vachharajani,
   PPoPP 2008) in C11: a slot says itself whether it is empty, so the two sides share no index. */
#include <stdatomic.h>
#include <stdbool.h>

enum { SIZE = 2, EMPTY = 0 };

typedef struct {
    atomic_int slots[SIZE];
    int head; /* the consumer's own */
    int tail; /* the producer's own */
} ring_t;

static void ring_init(ring_t *ring) {
    for (int i = 0; i < SIZE; i++) atomic_init(&ring->slots[i], EMPTY);
    ring->head = ring->tail = 0;
}

static bool ring_push(ring_t *ring, int value) {
    atomic_int *slot = &ring->slots[ring->tail];
    if (atomic_load_explicit(slot, memory_order_acquire) != EMPTY) return false;
    atomic_store_explicit(slot, value, memory_order_release);
    ring->tail = (ring->tail + 1) % SIZE;
    return true;
}

static bool ring_pop(ring_t *ring, int *value) {
    atomic_int *slot = &ring->slots[ring->head];
    int found = atomic_load_explicit(slot, memory_order_acquire);
    if (found == EMPTY) return false;
    *value = found;
    atomic_store_explicit(slot, EMPTY, memory_order_release);
    ring->head = (ring->head + 1) % SIZE;
    return true;
}

#include "../clients/ring.h"
