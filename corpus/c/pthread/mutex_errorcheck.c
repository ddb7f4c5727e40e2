/* An error-checking mutex says what is wrong: EDEADLK and EPERM. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex;

static void *unlock_foreign(void *argument) {
    (void)argument;
    return (void *)(long)pthread_mutex_unlock(&mutex);
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_t thread;
    void *result;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &attr);
    printf("%d\n", pthread_mutex_unlock(&mutex) == EPERM);
    printf("%d\n", pthread_mutex_lock(&mutex));
    printf("%d\n", pthread_mutex_lock(&mutex) == EDEADLK);
    printf("%d\n", pthread_mutex_trylock(&mutex) == EBUSY);
    pthread_create(&thread, NULL, unlock_foreign, NULL);
    pthread_join(thread, &result);
    printf("%d\n", (long)result == EPERM);
    printf("%d\n", pthread_mutex_unlock(&mutex));
    return 0;
}
