// A recursive mutex is taken twice by a function that calls itself.
//@ all: holds: the owner may take a recursive mutex again
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int counter;

static void count(int depth) {
    pthread_mutex_lock(&mutex);
    counter++;
    if (depth > 1)
        count(depth - 1);
    pthread_mutex_unlock(&mutex);
}

static void *worker(void *unused) {
    count(2);
    return unused;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 4);
    return 0;
}
