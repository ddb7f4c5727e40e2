// A condition variable is destroyed, and nobody has woken who waits for it.
//@ all: assert fails, rest cut, deadlock open: the other thread may be blocked on it already
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int done;

static void *await(void *argument) {
    pthread_mutex_lock(&mutex);
    if (!done)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, await, NULL);
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_destroy(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
