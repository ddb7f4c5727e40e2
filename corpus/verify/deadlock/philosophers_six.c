// Six philosophers who all take the left fork first.
//@ all: deadlock fails: each may hold the left fork and wait for the right one
#include <pthread.h>
#include <stdint.h>

enum { SEATS = 6 };

static pthread_mutex_t fork[SEATS]
    = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
        PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

static void *philosopher(void *argument) {
    int seat = (int)(intptr_t)argument;
    pthread_mutex_lock(&fork[seat]);
    pthread_mutex_lock(&fork[(seat + 1) % SEATS]);
    pthread_mutex_unlock(&fork[(seat + 1) % SEATS]);
    pthread_mutex_unlock(&fork[seat]);
    return NULL;
}

int main(void) {
    pthread_t threads[SEATS];
    for (intptr_t i = 0; i < SEATS; i++)
        pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
