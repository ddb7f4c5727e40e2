// A consumer waits in a loop until the producer has put something there.
//@ all: holds: the condition is looked at under the mutex, before waiting and after
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int full, item;

static void *consumer(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!full)
        pthread_cond_wait(&filled, &mutex);
    assert(item == 7);
    full = 0;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, consumer, NULL);
    pthread_mutex_lock(&mutex);
    item = 7;
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    assert(!full);
    return 0;
}
