// The same, but main frees after the reader has ended.
//@ all: holds: join orders the reading before the free
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *reader(void *argument) {
    int *shared = argument;
    assert(*shared == 1);
    return NULL;
}

int main(void) {
    int *shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, reader, shared);
    pthread_join(thread, NULL);
    free(shared);
    return 0;
}
