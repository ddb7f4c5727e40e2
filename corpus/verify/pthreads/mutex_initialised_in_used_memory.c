// Mutexes are initialised in memory that is undefined, zero, or holds what was destroyed.
//@ all: holds: none of them is held before
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t in_zeros;

static void *worker(void *argument) {
    pthread_mutex_t *mutex = argument;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(mutex, NULL);
        pthread_mutex_lock(mutex);
        pthread_mutex_unlock(mutex);
        pthread_mutex_destroy(mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_mutex_t *on_heap = malloc(sizeof *on_heap);
    pthread_create(&threads[0], NULL, worker, on_heap);
    pthread_create(&threads[1], NULL, worker, &in_zeros);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    free(on_heap);
    return 0;
}
