// Joins a thread twice.
#include <pthread.h>

static void *work(void *argument) { return argument; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return pthread_join(thread, 0);
}
