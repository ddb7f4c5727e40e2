// Two threads store a block each in the same pointer; one is lost.
//@ all: leak fails: the block that is overwritten can never be freed
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic shared;

static void *worker(void *unused) {
    atomic_store(&shared, malloc(sizeof(int)));
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(shared);
    return 0;
}
