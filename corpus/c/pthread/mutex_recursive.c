/* A recursive mutex can be taken again by its holder and is free after as many unlocks. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex;

static void *try(void *argument) {
    (void)argument;
    int error = pthread_mutex_trylock(&mutex);
    if (error == 0) pthread_mutex_unlock(&mutex);
    return (void *)(long)error;
}

static int try_elsewhere(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, try, NULL);
    pthread_join(thread, &result);
    return (int)(long)result;
}

int main(void) {
    pthread_mutexattr_t attr;
    int type;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_gettype(&attr, &type);
    printf("%d\n", type == PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attr);
    pthread_mutexattr_destroy(&attr);
    printf("%d %d %d\n", pthread_mutex_lock(&mutex), pthread_mutex_lock(&mutex),
           pthread_mutex_trylock(&mutex));
    printf("%d\n", try_elsewhere() == EBUSY);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    printf("%d\n", try_elsewhere() == EBUSY);
    pthread_mutex_unlock(&mutex);
    printf("%d\n", try_elsewhere());
    printf("%d\n", pthread_mutex_unlock(&mutex) == EPERM);
    return 0;
}
