/* A broadcast wakes every thread that waits; each holds the mutex again when it continues. */
#include <pthread.h>
#include <stdio.h>

enum { WAITERS = 4 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, go, done;

static void *waiter(void *argument) {
    pthread_mutex_lock(&mutex);
    waiting++;
    pthread_cond_broadcast(&changed);
    while (!go) pthread_cond_wait(&changed, &mutex);
    int seen = done;
    done = seen + 1;
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    pthread_t threads[WAITERS];
    for (int i = 0; i < WAITERS; i++) pthread_create(&threads[i], NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    while (waiting < WAITERS) pthread_cond_wait(&changed, &mutex);
    printf("%d %d\n", waiting, done);
    go = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < WAITERS; i++) pthread_join(threads[i], NULL);
    printf("%d\n", done);
    return 0;
}
