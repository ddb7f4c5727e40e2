// A semaphore that starts at one is a mutex.
//@ all: holds: one thread at a time is between wait and post
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static int counter;

static void *worker(void *unused) {
    sem_wait(&semaphore);
    counter++;
    sem_post(&semaphore);
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&semaphore, 0, 1);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    sem_destroy(&semaphore);
    return 0;
}
