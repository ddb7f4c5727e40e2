// Two threads move a block that they share, to one of the same size.
//@ all: holds: each moves what the other left, and the last block is freed
#include <pthread.h>
#include <stdlib.h>

static int *numbers;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *move(void *unused) {
    pthread_mutex_lock(&mutex);
    numbers = realloc(numbers, sizeof(int));
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    numbers = malloc(sizeof(int));
    numbers[0] = 7;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, move, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    free(numbers);
    return 0;
}
