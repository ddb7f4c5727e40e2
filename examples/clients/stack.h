/* A client for a last-in-first-out stack of ints. The file that includes it has defined
   struct stack, stack_init(s), push(s, value) and pop(s, &value), which says whether it got one.

   Two threads push two values and pop twice each; the rest is taken at the end. Every value
   comes out exactly once. */
#include "operations.h"
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 2, EACH = 2, VALUES = THREADS * EACH };

static struct stack stack;
static int times_taken[THREADS][VALUES];

static void client_push(int value) {
    fp_operation_begin("push", value);
    push(&stack, value);
    fp_operation_end();
}

static bool client_pop(int *value) {
    fp_operation_begin("pop");
    bool got = pop(&stack, value);
    fp_operation_end(got ? *value : -1);
    return got;
}

#ifdef __FENCEPOST__
/* The operations of tests: push and pop. */
void init(void) { stack_init(&stack); }

void u(void) {
    int value = fp_choose(0, 1);
    fp_observe("value", value);
    push(&stack, value);
}

void o(void) {
    int value;
    bool got = pop(&stack, &value);
    fp_observe("popped", got ? value : -1);
}
#endif

static void take(int *counts, int value) {
    assert(value >= 0 && value < VALUES);
    counts[value]++;
}

static void *worker(void *argument) {
    int me = (int)(long)argument;
    int value;
    client_push(me * EACH);
    client_push(me * EACH + 1);
    for (int i = 0; i < EACH; i++)
        if (client_pop(&value)) take(times_taken[me], value);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int value, rest = 0;
    stack_init(&stack);
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (; client_pop(&value); rest++) take(times_taken[0], value);
    for (int i = 0; i < VALUES; i++) assert(times_taken[0][i] + times_taken[1][i] == 1);
    printf("stack: %d values, each taken once, %d of them at the end\n", VALUES, rest);
    return 0;
}
