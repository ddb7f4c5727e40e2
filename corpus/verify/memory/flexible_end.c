// Two threads append to an array at the end of a struct, for which more room was made.
//@ all: holds: such an array has as many elements as the block has room for
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct queue {
    atomic_int used;
    int items[1];
};

static void *worker(void *argument) {
    struct queue *queue = argument;
    queue->items[atomic_fetch_add(&queue->used, 1)] = 1;
    return argument;
}

int main(void) {
    struct queue *queue = calloc(1, sizeof *queue + sizeof(int));
    int *end = &queue->items[2];
    pthread_t a, b;
    pthread_create(&a, NULL, worker, queue);
    pthread_create(&b, NULL, worker, queue);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int both = end - queue->items;
    free(queue);
    return both != 2;
}
