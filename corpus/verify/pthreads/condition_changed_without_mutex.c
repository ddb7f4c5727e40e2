// The producer changes an atomic condition without the mutex: its signal may fall between the
// consumer's look and its wait.
//@ all: deadlock fails: the consumer looks, the producer signals, the consumer waits for ever
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static atomic_int full;

static void *consumer(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!atomic_load(&full))
        pthread_cond_wait(&filled, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, consumer, NULL);
    atomic_store(&full, 1);
    pthread_cond_signal(&filled);
    pthread_join(thread, NULL);
    return 0;
}
