// Four threads that take a mutex and update an atomic counter: every step is a scheduling point.
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 4
#define ROUNDS 5000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int plain;

static void *work(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        atomic_fetch_add_explicit(&ready, 1, memory_order_relaxed);
        pthread_mutex_lock(&mutex);
        plain++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return plain != THREADS * ROUNDS || ready != THREADS * ROUNDS;
}
