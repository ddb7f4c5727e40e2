// Who cannot have the mutex at once does without.
//@ all: holds: the counter changes under the mutex only, at least once
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *unused) {
    (void)unused;
    if (pthread_mutex_trylock(&mutex) != 0)
        return (void *)0;
    counter++;
    pthread_mutex_unlock(&mutex);
    return (void *)1;
}

int main(void) {
    pthread_t a, b;
    void *first, *second;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, &first);
    pthread_join(b, &second);
    assert(counter == (intptr_t)first + (intptr_t)second);
    assert(counter >= 1);
    return 0;
}
