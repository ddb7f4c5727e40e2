// Main acquires a mutex, starts a thread and leaves the program running: nothing ever releases it.
//@ all: deadlock fails: pthread_exit ends the thread of main, not the program
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *thread(void *unused) {
    done = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&mutex);
    pthread_create(&t, NULL, thread, NULL);
    pthread_exit(NULL);
}
