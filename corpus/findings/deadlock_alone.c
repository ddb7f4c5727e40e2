// One thread locks a mutex twice.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&mutex);
    return pthread_mutex_lock(&mutex);
}
