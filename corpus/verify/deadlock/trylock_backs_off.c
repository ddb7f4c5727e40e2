// The second thread tries for its second mutex, and gives the first one back if it fails.
//@ all: holds: a thread that tries does not wait while it holds something
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *forward(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    counter++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *backward(void *unused) {
    pthread_mutex_lock(&b);
    if (pthread_mutex_trylock(&a) == 0) {
        counter++;
        pthread_mutex_unlock(&a);
    }
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, forward, NULL);
    pthread_create(&two, NULL, backward, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(counter == 1 || counter == 2);
    return 0;
}
