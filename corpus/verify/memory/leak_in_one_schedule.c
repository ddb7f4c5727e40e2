// A thread drops its block if it comes too late.
//@ all: leak fails: the second to arrive forgets to free what it has made
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic shared;

static void *worker(void *unused) {
    int *none = NULL, *mine = malloc(sizeof *mine);
    if (!atomic_compare_exchange_strong(&shared, &none, mine))
        mine = NULL;
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
