// Two threads take two mutexes in opposite orders.
// fencepost run: --schedules 100
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *other(void *unused) {
    both(&b, &a);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    both(&a, &b);
    return pthread_join(thread, 0);
}
