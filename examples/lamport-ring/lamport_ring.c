/* Lamport's ring for one producer and one consumer (TOPLAS 1983) in C11: each index is written
   by one side only, so loads and stores are enough. */
#include <stdatomic.h>
#include <stdbool.h>

enum { SIZE = 3 }; /* one slot stays empty */

typedef struct {
    atomic_int head; /* where the consumer reads */
    atomic_int tail; /* where the producer writes */
    int slots[SIZE];
} ring_t;

static void ring_init(ring_t *ring) {
    atomic_init(&ring->head, 0);
    atomic_init(&ring->tail, 0);
}

static bool ring_push(ring_t *ring, int value) {
    int tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    int next = (tail + 1) % SIZE;
    if (next == atomic_load_explicit(&ring->head, memory_order_acquire)) return false;
    ring->slots[tail] = value;
    atomic_store_explicit(&ring->tail, next, memory_order_release);
    return true;
}

static bool ring_pop(ring_t *ring, int *value) {
    int head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    if (head == atomic_load_explicit(&ring->tail, memory_order_acquire)) return false;
    *value = ring->slots[head];
    atomic_store_explicit(&ring->head, (head + 1) % SIZE, memory_order_release);
    return true;
}

#include "../clients/ring.h"
