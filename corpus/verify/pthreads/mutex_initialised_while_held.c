// A mutex is initialised again while a thread holds it, which POSIX leaves undefined.
//@ all: assert fails, rest cut: the thread may have locked the mutex when main initialises it
//@ rc11: assert fails, rest cut, race open, deadlock open: what follows from that is undefined
#include <pthread.h>

static pthread_mutex_t mutex;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_init(&mutex, NULL);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
