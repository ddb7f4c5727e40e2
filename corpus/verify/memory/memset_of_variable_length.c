// A thread clears a block as long as a number says, and another one reads it by characters.
//@ all: holds: the lock orders clearing and reading
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char *shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *clear(void *argument) {
    int length = *(int *)argument;
    char own[length];
    memset(own, 1, sizeof own);
    pthread_mutex_lock(&mutex);
    memcpy(shared, own, length);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *look(void *argument) {
    pthread_mutex_lock(&mutex);
    assert(shared[0] == shared[2]);
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    pthread_t a, b;
    int length = 3;
    char block[3] = { 0 };
    shared = block;
    pthread_create(&a, NULL, clear, &length);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
