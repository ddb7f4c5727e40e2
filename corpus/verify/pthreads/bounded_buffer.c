// A buffer of one place between a producer and a consumer, with two condition variables.
//@ sc tso relaxed armv8 rc11: holds: items come out in order, and each waits only while it must
#include <assert.h>
#include <pthread.h>

enum { ITEMS = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int place, full;

static void *producer(void *unused) {
    for (int item = 1; item <= ITEMS; item++) {
        pthread_mutex_lock(&mutex);
        while (full)
            pthread_cond_wait(&emptied, &mutex);
        place = item;
        full = 1;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *consumer(void *unused) {
    for (int item = 1; item <= ITEMS; item++) {
        pthread_mutex_lock(&mutex);
        while (!full)
            pthread_cond_wait(&filled, &mutex);
        assert(place == item);
        full = 0;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!full);
    return 0;
}
