/* The work-stealing deque of Chase and Lev (SPAA 2005) in C11 with the memory orders of Lê,
   Pop, Cohen and Zappa Nardelli (PPoPP 2013). The owner works at the bottom, thieves take from
   the top. Buffers that were outgrown are never freed: a thief may still be reading one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "../clients/operations.h"

enum { EMPTY = -1, ABORT = -2 };

struct buffer {
    long size;
    atomic_int items[];
};

struct deque {
    atomic_long top;
    atomic_long bottom;
    _Atomic(struct buffer *) buffer;
};

static struct buffer *new_buffer(long size) {
    struct buffer *buffer = malloc(sizeof *buffer + (size_t)size * sizeof buffer->items[0]);
    buffer->size = size;
    return buffer;
}

static int get(struct buffer *buffer, long index) {
    return atomic_load_explicit(&buffer->items[index % buffer->size], memory_order_relaxed);
}

static void put(struct buffer *buffer, long index, int value) {
    atomic_store_explicit(&buffer->items[index % buffer->size], value, memory_order_relaxed);
}

static struct buffer *grow(struct deque *deque, struct buffer *old, long top, long bottom) {
    struct buffer *larger = new_buffer(old->size * 2);
    for (long i = top; i < bottom; i++) put(larger, i, get(old, i));
    atomic_store_explicit(&deque->buffer, larger, memory_order_release);
    return larger;
}

static void push(struct deque *deque, int value) {
    long bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
    long top = atomic_load_explicit(&deque->top, memory_order_acquire);
    struct buffer *buffer = atomic_load_explicit(&deque->buffer, memory_order_relaxed);
    if (bottom - top > buffer->size - 1) buffer = grow(deque, buffer, top, bottom);
    put(buffer, bottom, value);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
}

static int take(struct deque *deque) {
    long bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed) - 1;
    struct buffer *buffer = atomic_load_explicit(&deque->buffer, memory_order_relaxed);
    atomic_store_explicit(&deque->bottom, bottom, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    long top = atomic_load_explicit(&deque->top, memory_order_relaxed);
    if (top > bottom) {
        atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
        return EMPTY;
    }
    int value = get(buffer, bottom);
    if (top == bottom) { /* the last one: race for it with the thieves */
        if (!atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1,
                                                     memory_order_seq_cst, memory_order_relaxed))
            value = EMPTY;
        atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
    }
    return value;
}

static int steal(struct deque *deque) {
    long top = atomic_load_explicit(&deque->top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    long bottom = atomic_load_explicit(&deque->bottom, memory_order_acquire);
    if (top >= bottom) return EMPTY;
    struct buffer *buffer = atomic_load_explicit(&deque->buffer, memory_order_acquire);
    int value = get(buffer, top);
    if (!atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1,
                                                 memory_order_seq_cst, memory_order_relaxed))
        return ABORT;
    return value;
}

/* The client: the owner pushes four values through a buffer that must grow and takes twice,
   while two thieves try twice each. */
enum { VALUES = 4, THIEVES = 2, TRIES = 2 };

static struct deque deque;
static int times_taken[THIEVES + 1][VALUES];

static void note(int me, int value) {
    if (value == EMPTY || value == ABORT) return;
    assert(value >= 0 && value < VALUES);
    times_taken[me][value]++;
}

static void client_push(int value) {
    fp_operation_begin("push", value);
    push(&deque, value);
    fp_operation_end();
}

static int client_take(void) {
    fp_operation_begin("take");
    int value = take(&deque);
    fp_operation_end(value);
    return value;
}

static int client_steal(void) {
    fp_operation_begin("steal");
    int value = steal(&deque);
    fp_operation_end(value);
    return value;
}

static void *owner(void *argument) {
    int me = (int)(long)argument;
    client_push(0);
    client_push(1);
    client_push(2);
    note(me, client_take());
    client_push(3);
    note(me, client_take());
    return NULL;
}

static void *thief(void *argument) {
    int me = (int)(long)argument;
    for (int i = 0; i < TRIES; i++) note(me, client_steal());
    return NULL;
}

int main(void) {
    pthread_t threads[THIEVES + 1];
    atomic_init(&deque.top, 0);
    atomic_init(&deque.bottom, 0);
    atomic_init(&deque.buffer, new_buffer(2));
    for (long i = 0; i < THIEVES; i++) pthread_create(&threads[i], NULL, thief, (void *)i);
    pthread_create(&threads[THIEVES], NULL, owner, (void *)(long)THIEVES);
    for (int i = 0; i <= THIEVES; i++) pthread_join(threads[i], NULL);
    for (int value; (value = client_take()) != EMPTY;) note(THIEVES, value);

    int stolen = 0;
    for (int value = 0; value < VALUES; value++) {
        int times = 0;
        for (int i = 0; i <= THIEVES; i++) times += times_taken[i][value];
        assert(times == 1);
        stolen += 1 - times_taken[THIEVES][value];
    }
    printf("deque: %d values, each taken once, %d of them stolen\n", VALUES, stolen);
    return 0;
}
