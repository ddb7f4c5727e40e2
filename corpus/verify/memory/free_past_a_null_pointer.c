// The allocation is too large and gives null; a thread frees what lies a little past that.
//@ all: memory fails: there is no block at that address
#include <pthread.h>
#include <stdlib.h>

static void *release(void *argument) {
    int *block = argument;
    free(block + 7);
    return 0;
}

int main(void) {
    int *block = malloc(2 - sizeof *block);
    pthread_t thread;
    pthread_create(&thread, 0, release, block);
    pthread_join(thread, 0);
    return 0;
}
