// A thread frees a pointer into the middle of a block.
//@ all: memory fails, leak open: free takes the beginning of a block only
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *argument) {
    int *block = argument;
    free(block + 1);
    return NULL;
}

int main(void) {
    int *block = malloc(2 * sizeof *block);
    pthread_t thread;
    pthread_create(&thread, NULL, worker, block);
    pthread_join(thread, NULL);
    return 0;
}
