// Two threads add large amounts; both together are too much for an int.
//@ all: overflow fails: the second addition overflows
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    sum += INT_MAX / 2 + 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
