// A service thread waits for work; it is detached, so it ends with the program when main returns.
//@ all: holds: no thread awaits it, and main does not wait for it to end
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int work;

static void *serves(void *unused) {
    pthread_mutex_lock(&lock);
    while (!work)
        pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, serves, NULL);
    pthread_detach(thread);
    return 0;
}
