/* T threads count up N times each, in a critical section. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *work(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mutex);
        counter++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t threads[T];
    for (int i = 0; i < T; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < T; i++) pthread_join(threads[i], 0);
    assert(counter == N * T);
    return 0;
}
