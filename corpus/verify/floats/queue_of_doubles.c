// Measurements go through a ring of two slots, from one thread to another.
//@ all: holds: a slot is written before the index is released and read after it is acquired, so each number arrives whole and in order
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 2, COUNT = 3 };

static double ring[SLOTS];
static atomic_int head, tail;
static double sum;

static void *producer(void *unused) {
    for (int i = 0; i < COUNT; i++) {
        while (i - atomic_load_explicit(&tail, memory_order_acquire) >= SLOTS) {
        }
        ring[i % SLOTS] = 0.5 + i * 1.25;
        atomic_store_explicit(&head, i + 1, memory_order_release);
    }
    return unused;
}

static void *consumer(void *unused) {
    for (int i = 0; i < COUNT; i++) {
        while (atomic_load_explicit(&head, memory_order_acquire) <= i) {
        }
        double value = ring[i % SLOTS];
        assert(value == 0.5 + i * 1.25);
        sum += value;
        atomic_store_explicit(&tail, i + 1, memory_order_release);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum / COUNT == 1.75);
    return 0;
}
