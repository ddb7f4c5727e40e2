// A thread reads an argument on the stack of a call that has returned.
// fencepost run: --schedules 100
#include <pthread.h>

static void *work(void *argument) { return (void *)(long)*(int *)argument; }

static pthread_t start(int n) {
    int argument = n;
    pthread_t thread;
    pthread_create(&thread, 0, work, &argument);
    return thread;
}

int main(void) {
    pthread_t thread = start(1);
    return pthread_join(thread, 0);
}
