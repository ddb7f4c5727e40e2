// A semaphore is destroyed by the thread that it has woken.
//@ all: holds: whoever waits comes after the post, which does not touch the semaphore any more
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
    sem_wait(&semaphore);
    sem_destroy(&semaphore);
    pthread_join(thread, NULL);
    return 0;
}
