// Read-copy-update whose writer frees the old copy at once.
//@ all: memory fails, race open, assert open: a reader may still look at the old copy
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic current;

static void *reader(void *unused) {
    int *copy = atomic_load(&current);
    int value = *copy;
    assert(value == 1 || value == 2);
    return unused;
}

static void *writer(void *unused) {
    int *copy = malloc(sizeof *copy);
    *copy = 2;
    int *old = atomic_exchange(&current, copy);
    free(old);
    return unused;
}

int main(void) {
    int *first = malloc(sizeof *first);
    *first = 1;
    current = first;
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(current);
    return 0;
}
