/* Thread-specific data: each thread has its own, and destructors run when a thread ends. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_key_t plain, counted;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int destroyed, sum;

static void destroy(void *value) {
    pthread_mutex_lock(&mutex);
    destroyed++;
    sum += *(int *)value;
    pthread_mutex_unlock(&mutex);
    free(value);
}

static void *worker(void *argument) {
    int *mine = malloc(sizeof *mine);
    *mine = (int)(long)argument;
    if (pthread_getspecific(plain) || pthread_getspecific(counted)) return (void *)1;
    pthread_setspecific(plain, argument);
    pthread_setspecific(counted, mine);
    if (pthread_getspecific(plain) != argument) return (void *)2;
    if (*mine == 30) pthread_exit(NULL);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_key_create(&plain, NULL);
    pthread_key_create(&counted, destroy);
    pthread_setspecific(plain, &sum);
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, (void *)(10 * (i + 1)));
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(threads[i], &result);
        printf("%ld\n", (long)result);
    }
    printf("%d %d %d\n", destroyed, sum, pthread_getspecific(plain) == &sum);
    pthread_key_delete(plain);
    pthread_key_delete(counted);
    return 0;
}
