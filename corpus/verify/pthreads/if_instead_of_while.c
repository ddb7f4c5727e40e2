// Two consumers wait with `if`; one item is announced to both.
//@ all: assert fails: the second consumer wakes up and finds nothing
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items, done;

static void *consumer(void *unused) {
    pthread_mutex_lock(&mutex);
    if (items == 0 && !done)
        pthread_cond_wait(&filled, &mutex);
    if (!done) {
        assert(items > 0);
        items--;
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, consumer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_mutex_lock(&mutex);
    items = 1;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
