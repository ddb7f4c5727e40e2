// Two threads wait on one condition variable for different things; everybody is woken each time.
//@ all: holds: everybody looks again after each change
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stage;

static void *first(void *unused) {
    pthread_mutex_lock(&mutex);
    while (stage < 1)
        pthread_cond_wait(&changed, &mutex);
    stage = 2;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *second(void *unused) {
    pthread_mutex_lock(&mutex);
    while (stage < 2)
        pthread_cond_wait(&changed, &mutex);
    assert(stage == 2);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_mutex_lock(&mutex);
    stage = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
