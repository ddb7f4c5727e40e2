// Two threads free the same block if they find it there.
//@ all: memory fails, race open: both may find it before either takes it away
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic shared;

static void *worker(void *unused) {
    int *mine = atomic_load(&shared);
    if (mine != NULL) {
        atomic_store(&shared, NULL);
        free(mine);
    }
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
