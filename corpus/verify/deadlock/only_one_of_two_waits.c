// Of two threads one gets the work. If that is the detached one, the other waits for ever.
//@ all: deadlock fails: the detached thread may take the only post
#include <pthread.h>
#include <semaphore.h>

static sem_t work;

static void *serves(void *unused) {
    sem_wait(&work);
    return unused;
}

int main(void) {
    pthread_t one, other;
    sem_init(&work, 0, 1);
    pthread_create(&one, NULL, serves, NULL);
    pthread_create(&other, NULL, serves, NULL);
    pthread_detach(other);
    return 0;
}
