// An error path returns without giving the mutex back.
//@ all: deadlock fails: after the error path nobody can take the mutex again
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static int add(int value) {
    pthread_mutex_lock(&mutex);
    if (value < 0)
        return -1; /* still locked */
    sum += value;
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void *worker(void *argument) {
    add((int)(intptr_t)argument);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)(intptr_t)1);
    pthread_create(&b, NULL, worker, (void *)(intptr_t)-1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
