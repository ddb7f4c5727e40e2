// Main ends its own thread while it holds a lock, and the program goes on without it.
//@ all: deadlock fails: no thread can ever give the lock back
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
    pthread_join(thread, NULL);
    pthread_mutex_lock(&lock);
    pthread_exit(NULL);
}
