/* trylock succeeds on a free mutex and says EBUSY on one that is held. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex;

static void *worker(void *argument) {
    (void)argument;
    return (void *)(long)pthread_mutex_trylock(&mutex);
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_mutex_init(&mutex, NULL);
    printf("%d\n", pthread_mutex_trylock(&mutex));
    printf("%d\n", pthread_mutex_trylock(&mutex) == EBUSY);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, &result);
    printf("%d\n", (long)result == EBUSY);
    pthread_mutex_unlock(&mutex);
    printf("%d\n", pthread_mutex_trylock(&mutex));
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex);
    return 0;
}
