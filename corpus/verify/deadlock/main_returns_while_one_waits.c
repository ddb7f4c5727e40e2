// Main returns while it holds a lock for which a thread may wait that is not detached.
//@ all: deadlock fails: the thread waits for ever
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *adds(void *unused) {
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, adds, NULL);
    pthread_mutex_lock(&lock);
    return 0;
}
