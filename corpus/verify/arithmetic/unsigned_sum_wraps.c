// The same with unsigned integers.
//@ all: holds: unsigned arithmetic wraps
#include <assert.h>
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned sum;

static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    sum += UINT_MAX / 2 + 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == 0);
    return 0;
}
