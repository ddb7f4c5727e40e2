// Two threads free the same block, but only the one whose exchange gets it.
//@ all: holds: an exchange gives the pointer to one thread
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic shared;

static void *worker(void *unused) {
    free(atomic_exchange(&shared, NULL));
    return unused;
}

int main(void) {
    shared = malloc(sizeof(int));
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
