// A block is published before its contents are written.
//@ all: memory fails, race open, assert open: the reader may use what was never written
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic shared;

static void *writer(void *unused) {
    int *block = malloc(sizeof *block);
    atomic_store(&shared, block);
    *block = 3;
    return unused;
}

static void *reader(void *unused) {
    int *block = atomic_load(&shared);
    if (block != NULL)
        assert(*block == 3);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(shared);
    return 0;
}
