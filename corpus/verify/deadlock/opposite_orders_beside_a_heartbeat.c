// Two threads take two mutexes in opposite orders while a third one never stops.
//@ sc tso: deadlock fails, liveness open: the two wait for each other whatever the third one does; whether that one waits is a matter of taste
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_uchar beat;

static void *forward(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *backward(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

static void *heart(void *unused) {
    for (;;)
        beat = !beat;
    return unused;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&three, NULL, heart, NULL);
    pthread_create(&one, NULL, forward, NULL);
    pthread_create(&two, NULL, backward, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
