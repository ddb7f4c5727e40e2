/* Vyukov's bounded queue for many producers and many consumers (2010) in C11: each cell carries
   a sequence number that says whose turn it is. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include "../clients/operations.h"

enum { CELLS = 2, MASK = CELLS - 1 };

struct cell {
    atomic_ulong sequence;
    int value;
};

static struct cell cells[CELLS];
static atomic_ulong enqueue_position;
static atomic_ulong dequeue_position;

static void init(void) {
    for (unsigned long i = 0; i < CELLS; i++) atomic_init(&cells[i].sequence, i);
}

static bool enqueue(int value) {
    unsigned long position = atomic_load_explicit(&enqueue_position, memory_order_relaxed);
    for (;;) {
        struct cell *cell = &cells[position & MASK];
        unsigned long sequence = atomic_load_explicit(&cell->sequence, memory_order_acquire);
        long behind = (long)(sequence - position);
        if (behind < 0) return false; /* full */
        if (behind > 0) { /* another producer was here */
            position = atomic_load_explicit(&enqueue_position, memory_order_relaxed);
            continue;
        }
        if (!atomic_compare_exchange_weak_explicit(&enqueue_position, &position, position + 1,
                                                   memory_order_relaxed, memory_order_relaxed))
            continue;
        cell->value = value;
        atomic_store_explicit(&cell->sequence, position + 1, memory_order_release);
        return true;
    }
}

static bool dequeue(int *value) {
    unsigned long position = atomic_load_explicit(&dequeue_position, memory_order_relaxed);
    for (;;) {
        struct cell *cell = &cells[position & MASK];
        unsigned long sequence = atomic_load_explicit(&cell->sequence, memory_order_acquire);
        long behind = (long)(sequence - (position + 1));
        if (behind < 0) return false; /* empty */
        if (behind > 0) { /* another consumer was here */
            position = atomic_load_explicit(&dequeue_position, memory_order_relaxed);
            continue;
        }
        if (!atomic_compare_exchange_weak_explicit(&dequeue_position, &position, position + 1,
                                                   memory_order_relaxed, memory_order_relaxed))
            continue;
        *value = cell->value;
        atomic_store_explicit(&cell->sequence, position + CELLS, memory_order_release);
        return true;
    }
}

/* The client: two producers offer two values each, a consumer tries three times, and the rest
   is taken at the end. What was accepted comes out once, in the order of each producer. */
enum { PRODUCERS = 2, EACH = 2, ATTEMPTS = 3, VALUES = PRODUCERS * EACH };

static bool accepted[VALUES];
static int taken[VALUES];
static int taken_count;

static bool client_dequeue(void) {
    int value = -1;
    fp_operation_begin("dequeue");
    bool got = dequeue(&value);
    fp_operation_end(got ? value : -1);
    if (got) {
        assert(taken_count < VALUES);
        taken[taken_count++] = value;
    }
    return got;
}

static void *producer(void *argument) {
    int first = (int)(long)argument * EACH;
    for (int value = first; value < first + EACH; value++) {
        fp_operation_begin("enqueue", value);
        accepted[value] = enqueue(value);
        fp_operation_end(accepted[value]);
    }
    return NULL;
}

static void *consumer(void *argument) {
    for (int i = 0; i < ATTEMPTS; i++) client_dequeue();
    return argument;
}

int main(void) {
    pthread_t threads[PRODUCERS + 1];
    init();
    for (long i = 0; i < PRODUCERS; i++) pthread_create(&threads[i], NULL, producer, (void *)i);
    pthread_create(&threads[PRODUCERS], NULL, consumer, NULL);
    for (int i = 0; i < PRODUCERS + 1; i++) pthread_join(threads[i], NULL);
    while (client_dequeue()) {}

    int expected = 0;
    for (int value = 0; value < VALUES; value++) expected += accepted[value];
    assert(taken_count == expected);
    int last[PRODUCERS] = { -1, -1 };
    for (int i = 0; i < taken_count; i++) {
        assert(accepted[taken[i]]);
        assert(taken[i] > last[taken[i] / EACH]);
        last[taken[i] / EACH] = taken[i];
    }
    printf("queue: accepted and delivered %d of %d values\n", taken_count, VALUES);
    return 0;
}
