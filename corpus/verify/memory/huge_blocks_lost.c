// Each of two threads allocates three blocks of half a gigabyte, and frees the last only.
//@ all: leak fails: no pointer to the first two blocks is left
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void *worker(void *argument) {
    char *block = NULL;
    for (int i = 0; i < 3; i++) {
        block = calloc(500000000, 1);
        if (block != NULL)
            block[12345678] = (char)i;
    }
    free(block);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
