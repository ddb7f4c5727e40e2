/* A mutex keeps increments of three threads apart. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *argument) {
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&mutex);
        int seen = counter;
        counter = seen + 1;
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    printf("%d\n", counter);
    printf("%d\n", pthread_mutex_destroy(&mutex));
    return 0;
}
