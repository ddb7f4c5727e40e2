/* A client for a ring with one producer and one consumer. The file that includes it has defined
   ring_t, ring_init(r), ring_push(r, value) and ring_pop(r, &value), which say whether there was
   room or a value.

   The producer pushes 1 to 5 through a ring that has room for fewer; they come out in order. */
#include "operations.h"
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

enum { VALUES = 5 };

static ring_t ring;

static bool client_push(int value) {
    fp_operation_begin("push", value);
    bool done = ring_push(&ring, value);
    fp_operation_end(done);
    return done;
}

static bool client_pop(int *value) {
    fp_operation_begin("pop");
    bool done = ring_pop(&ring, value);
    fp_operation_end(done ? *value : -1);
    return done;
}

static void *producer(void *argument) {
    for (int value = 1; value <= VALUES; value++)
        while (!client_push(value)) sched_yield();
    return argument;
}

static void *consumer(void *argument) {
    for (int expected = 1; expected <= VALUES; expected++) {
        int value;
        while (!client_pop(&value)) sched_yield();
        assert(value == expected);
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    ring_init(&ring);
    pthread_create(&threads[0], NULL, producer, NULL);
    pthread_create(&threads[1], NULL, consumer, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("ring: %d values in order\n", VALUES);
    return 0;
}
