// A key is deleted and another one made, in a thread that still has a value for the first.
//@ all: holds: a new key has no value in any thread
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int value;

static void *use(void *argument) {
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, &value);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, &value);
    pthread_key_delete(key);
    pthread_key_create(&key, NULL);
    assert(pthread_getspecific(key) == NULL);
    pthread_create(&thread, NULL, use, NULL);
    pthread_join(thread, NULL);
    assert(pthread_getspecific(key) == NULL);
    return 0;
}
