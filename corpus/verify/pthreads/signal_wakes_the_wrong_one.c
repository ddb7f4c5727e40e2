// Two threads wait on one condition variable for different things; one signal wakes either.
//@ all: deadlock fails: the signal may wake the one whose condition is not met, and it waits again
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stage;

static void await(int wanted) {
    pthread_mutex_lock(&mutex);
    while (stage < wanted)
        pthread_cond_wait(&changed, &mutex);
    if (wanted == 1) {
        stage = 2;
        pthread_cond_signal(&changed);
    }
    pthread_mutex_unlock(&mutex);
}

static void *first(void *unused) {
    await(1);
    return unused;
}

static void *second(void *unused) {
    await(2);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_mutex_lock(&mutex);
    stage = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
