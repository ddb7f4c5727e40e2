// Threads that are cancelled.
#include <pthread.h>

static void *spin(void *argument) {
    for (;;) pthread_testcancel();
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, spin, NULL);
    pthread_cancel(thread);
    return pthread_join(thread, NULL);
}
