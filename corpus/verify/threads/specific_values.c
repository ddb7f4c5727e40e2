// Values of a key differ from thread to thread.
//@ all: holds: each thread reads what it set itself
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int values[2];

static void *worker(void *argument) {
    pthread_setspecific(key, argument);
    int *mine = pthread_getspecific(key);
    assert(mine == argument);
    *mine = 1;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_key_create(&key, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &values[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(pthread_getspecific(key) == NULL);
    assert(values[0] == 1 && values[1] == 1);
    return 0;
}
