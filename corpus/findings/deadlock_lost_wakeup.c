// Waits for a signal that may have been sent before.
// fencepost run: --schedules 100
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void *producer(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, producer, 0);
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&ready, &mutex);
    pthread_mutex_unlock(&mutex);
    return pthread_join(thread, 0);
}
