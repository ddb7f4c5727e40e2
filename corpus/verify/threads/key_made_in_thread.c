// Threads make a key once, and each keeps a value of its own under it.
//@ all: holds: whoever finds the key made has synchronised with who made it
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make(void) {
    if (pthread_key_create(&key, NULL) != 0) assert(0);
}

static void *work(void *argument) {
    pthread_once(&once, make);
    pthread_setspecific(key, argument);
    assert(pthread_getspecific(key) == argument);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int x, y;
    pthread_create(&a, NULL, work, &x);
    pthread_create(&b, NULL, work, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
