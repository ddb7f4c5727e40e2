// Two threads work at the two ends of an array of four gigabytes, and each hands a block of half a
// gigabyte to main, of which it has written two bytes.
//@ all: holds: no two threads touch the same element, and pthread_join orders everything else
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define LENGTH 1000000000
#define BLOCK 500000000

static int array[LENGTH];

static void *worker(void *argument) {
    intptr_t number = (intptr_t)argument;
    array[number == 0 ? 0 : LENGTH - 1] = (int)number + 1;
    char *block = malloc(BLOCK);
    if (block == NULL)
        return NULL;
    block[0] = 1;
    block[BLOCK - 1] = 2;
    return block;
}

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++) {
        void *result;
        pthread_join(threads[i], &result);
        char *block = result;
        assert(block == NULL || block[0] + block[BLOCK - 1] == 3);
        free(block);
    }
    assert(array[0] + array[LENGTH - 1] == 3);
    assert(array[LENGTH / 2] == 0);
    return 0;
}
