// Blocks are exchanged and the old ones freed; another thread may still write to one.
//@ all: memory fails: the block that was read from the pointer may have been freed since
//@ rc11: memory fails, race fails: nothing orders the free and the write
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int stop;
static _Atomic(int *) current;

static void *write(void *argument) {
    stop = 2;
    int *block = current;
    if (block)
        *block = 2;
    return argument;
}

static void *exchange(void *argument) {
    for (int i = 0; i < 2; i++) {
        if (stop)
            return argument;
        int *block = malloc(sizeof(int));
        *block = 2;
        int *old = atomic_exchange(&current, block);
        if (old)
            free(old);
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, write, NULL);
    pthread_create(&threads[1], NULL, exchange, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    free(current);
    return 0;
}
