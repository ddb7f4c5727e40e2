// Two threads take two mutexes in opposite orders, under a third one.
//@ all: holds: the third mutex lets only one of them at the other two
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(&guard);
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    pthread_mutex_unlock(&guard);
}

static void *forward(void *unused) {
    both(&a, &b);
    return unused;
}

static void *backward(void *unused) {
    both(&b, &a);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, forward, NULL);
    pthread_create(&two, NULL, backward, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
