// A thread awaits itself, which POSIX leaves undefined (glibc gives EDEADLK).
//@ all: assert fails, rest cut: the handle is the thread's own
#include <pthread.h>

static void *worker(void *unused) {
    pthread_join(pthread_self(), NULL);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
