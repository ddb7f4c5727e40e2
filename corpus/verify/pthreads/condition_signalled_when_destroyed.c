// Who is woken may destroy the condition variable before the other thread signals once more.
//@ all: assert fails, rest cut: the second signal comes when the mutex has been given back
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int done;

static void *finish(void *argument) {
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&changed);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_cond_init(&changed, NULL);
    pthread_create(&thread, NULL, finish, NULL);
    pthread_mutex_lock(&mutex);
    while (!done)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_cond_destroy(&changed);
    pthread_join(thread, NULL);
    return 0;
}
