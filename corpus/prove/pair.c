/* A register of two words that always hold the same, under a mutex. */
#define FENCEPOST_NO_DIALECT
#include <fencepost.h>
#include <pthread.h>

static int left, right;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

void init(void) {
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_init(&other, NULL);
}

void w(void) {
    int value = fp_choose(0, 1);
    fp_observe("value", value);
    pthread_mutex_lock(&lock);
    left = value;
    right = value;
    pthread_mutex_unlock(&lock);
}

void r(void) {
    pthread_mutex_lock(&lock);
    int first = left;
    int second = right;
    pthread_mutex_unlock(&lock);
    fp_observe("left", first);
    fp_observe("right", second);
}
