// A thread is detached and joined all the same.
//@ all: holds: detached threads can be joined (S-043), so this misuse is not found
#include <pthread.h>

static void *work(void *argument) {
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
    pthread_join(thread, 0);
    return 0;
}
