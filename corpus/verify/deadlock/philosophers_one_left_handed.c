// Three philosophers, one of whom takes the right fork first.
//@ all: holds: forks are taken in the order of their numbers
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { SEATS = 3 };

static pthread_mutex_t fork[SEATS]
    = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int used[SEATS];

static void *philosopher(void *argument) {
    int seat = (int)(intptr_t)argument;
    int next = (seat + 1) % SEATS;
    int first = seat < next ? seat : next, second = seat < next ? next : seat;
    pthread_mutex_lock(&fork[first]);
    pthread_mutex_lock(&fork[second]);
    used[first]++;
    used[second]++;
    pthread_mutex_unlock(&fork[second]);
    pthread_mutex_unlock(&fork[first]);
    return NULL;
}

int main(void) {
    pthread_t threads[SEATS];
    for (intptr_t i = 0; i < SEATS; i++)
        pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < SEATS; i++)
        assert(used[i] == 2);
    return 0;
}
