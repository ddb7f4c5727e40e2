// The first thread that needs the key makes it; each thread has a block of its own, freed at its end.
//@ all: holds: a key is made once, and every thread that has a value frees it when it ends
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void make(void) {
    pthread_key_create(&key, free);
}

static void *use(void *argument) {
    pthread_once(&once, make);
    int *own = pthread_getspecific(key);
    assert(own == NULL);
    own = malloc(sizeof(int));
    *own = 1;
    pthread_setspecific(key, own);
    assert(*(int *)pthread_getspecific(key) == 1);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, use, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
