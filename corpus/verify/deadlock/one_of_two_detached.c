// Two threads wait for ever when main returns, and only the first is detached.
//@ all: deadlock fails: the other is neither awaited nor detached
#include <pthread.h>
#include <semaphore.h>

static sem_t work;

static void *serves(void *unused) {
    sem_wait(&work);
    return unused;
}

int main(void) {
    pthread_t one, other;
    sem_init(&work, 0, 0);
    pthread_create(&one, NULL, serves, NULL);
    pthread_create(&other, NULL, serves, NULL);
    pthread_detach(one);
    return 0;
}
