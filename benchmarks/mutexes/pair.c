/* T threads write a pair and look at it, N times each: 2 N critical sections in a thread. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int left, right;

static void *work(void *number) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mutex);
        left = (long)number;
        right = (long)number;
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&mutex);
        assert(left == right);
        pthread_mutex_unlock(&mutex);
    }
    return number;
}

int main(void) {
    pthread_t threads[T];
    for (int i = 0; i < T; i++) pthread_create(&threads[i], 0, work, (void *)(i + 1L));
    for (int i = 0; i < T; i++) pthread_join(threads[i], 0);
    return 0;
}
