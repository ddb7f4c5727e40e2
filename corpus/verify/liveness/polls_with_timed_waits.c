// Waits for a flag with timed waits, again and again; the other thread signals and sets nothing.
//@ sc tso: liveness fails: when the other thread has ended, every wait times out
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int flag;

static void *signal(void *argument) {
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    pthread_t thread;
    struct timespec deadline = {0, 0};
    pthread_create(&thread, NULL, signal, NULL);
    pthread_mutex_lock(&mutex);
    while (!flag)
        pthread_cond_timedwait(&changed, &mutex, &deadline);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
