// A thread posts a semaphore that the first one may have destroyed already.
//@ all: assert fails, rest cut: nothing makes the destruction wait for the post
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *post(void *unused) {
    sem_post(&semaphore);
    return unused;
}

int main(void) {
    sem_init(&semaphore, 0, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, post, NULL);
    sem_destroy(&semaphore);
    pthread_join(thread, NULL);
    return 0;
}
