// Two threads try a semaphore that a third one posts once, after it has written the data.
//@ all: holds: what is tried and had acquires what was posted, and only one of them gets it
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static int data, taken;

static void *post(void *argument) {
    data = 1;
    sem_post(&semaphore);
    return argument;
}

static void *attempt(void *argument) {
    if (sem_trywait(&semaphore) == 0) {
        assert(data == 1 && ++taken == 1);
    } else {
        assert(errno == EAGAIN);
    }
    return argument;
}

int main(void) {
    pthread_t a, b, c;
    sem_init(&semaphore, 0, 0);
    pthread_create(&a, NULL, post, NULL);
    pthread_create(&b, NULL, attempt, NULL);
    pthread_create(&c, NULL, attempt, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
