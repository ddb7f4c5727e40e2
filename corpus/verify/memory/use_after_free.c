// One thread frees what the other still uses.
//@ all: memory fails, race open, assert open: nothing keeps the reader from coming second
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *reader(void *unused) {
    int value = *shared;
    assert(value == 1);
    return unused;
}

static void *owner(void *unused) {
    free(shared);
    return unused;
}

int main(void) {
    shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, owner, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
