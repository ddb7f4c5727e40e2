// Two threads make a key each at the same time.
//@ all: holds: the keys differ, and each thread finds what it left
#include <assert.h>
#include <pthread.h>

static pthread_key_t keys[2];

static void *work(void *argument) {
    pthread_key_t *key = argument;
    pthread_key_create(key, NULL);
    pthread_setspecific(*key, argument);
    assert(pthread_getspecific(*key) == argument);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, &keys[0]);
    pthread_create(&b, NULL, work, &keys[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(keys[0] != keys[1]);
    return 0;
}
