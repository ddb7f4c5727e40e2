// Three threads append to a block that has room for two.
//@ all: memory fails: the third writes behind the block
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int used;

static void *worker(void *argument) {
    int *block = argument;
    block[atomic_fetch_add(&used, 1)] = 1;
    return NULL;
}

int main(void) {
    int *block = malloc(2 * sizeof *block);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, block);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    free(block);
    return 0;
}
