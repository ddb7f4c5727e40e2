#include "queue.h"

static int count;
__attribute__((weak)) int capacity = 9;
struct queue shared;

static void noted(void) { count++; }

void queue_put(struct queue *q, int value) {
    q->value = value;
    noted();
    word_store(&q->full, 1);
}

_Bool queue_get(struct queue *q, int *value) {
    if (!word_load(&q->full)) return 0;
    *value = q->value;
    return 1;
}

int queue_count(void) { return count; }
int queue_capacity(void) { return capacity; }
