/* A client for a first-in-first-out queue of ints. The file that includes it has defined
   queue_t, queue_init(q), enqueue(q, value) and dequeue(q, &value), which says whether it got one.

   Two producers add two values each while a consumer tries three times; what is left is taken
   at the end. Every value comes out exactly once, and those of one producer in their order. */
#include "operations.h"
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { PRODUCERS = 2, EACH = 2, ATTEMPTS = 3, VALUES = PRODUCERS * EACH };

static queue_t queue;
static int taken[VALUES];
static int taken_count;

static void client_enqueue(int value) {
    fp_operation_begin("enqueue", value);
    enqueue(&queue, value);
    fp_operation_end();
}

static bool client_dequeue(void) {
    int value = -1;
    fp_operation_begin("dequeue");
    bool got = dequeue(&queue, &value);
    fp_operation_end(got ? value : -1);
    if (got) {
        assert(taken_count < VALUES);
        taken[taken_count++] = value;
    }
    return got;
}

#ifdef __FENCEPOST__
/* The operations of tests: enqueue and dequeue. */
void init(void) { queue_init(&queue); }

void e(void) {
    int value = fp_choose(0, 1);
    fp_observe("value", value);
    enqueue(&queue, value);
}

void d(void) {
    int value;
    bool got = dequeue(&queue, &value);
    fp_observe("taken", got ? value : -1);
}
#endif

static void *producer(void *argument) {
    int first = (int)(long)argument * EACH;
    for (int i = 0; i < EACH; i++) client_enqueue(first + i);
    return NULL;
}

static void *consumer(void *argument) {
    for (int i = 0; i < ATTEMPTS; i++) client_dequeue();
    return argument;
}

int main(void) {
    pthread_t threads[PRODUCERS + 1];
    queue_init(&queue);
    for (long i = 0; i < PRODUCERS; i++) pthread_create(&threads[i], NULL, producer, (void *)i);
    pthread_create(&threads[PRODUCERS], NULL, consumer, NULL);
    for (int i = 0; i < PRODUCERS + 1; i++) pthread_join(threads[i], NULL);
    int early = taken_count;
    while (client_dequeue()) {}

    assert(taken_count == VALUES);
    int next[PRODUCERS] = { 0 };
    for (int i = 0; i < VALUES; i++) {
        int from = taken[i] / EACH;
        assert(from >= 0 && from < PRODUCERS);
        assert(taken[i] % EACH == next[from]);
        next[from]++;
    }
    printf("queue: %d values in order, %d of them taken concurrently:", VALUES, early);
    for (int i = 0; i < VALUES; i++) printf(" %d", taken[i]);
    printf("\n");
    return 0;
}
