// A consumer that waits without looking: the signal may come before it.
//@ all: deadlock fails: a signal that nobody waits for is lost
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

static void *consumer(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&filled, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, consumer, NULL);
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
