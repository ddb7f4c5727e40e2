// A thread uses a local of main, which ends its own thread only.
//@ all: memory fails, race open: with pthread_exit the locals of main are gone, and the thread is not
#include <pthread.h>

static void *worker(void *to) {
    *(int *)to = 6;
    return NULL;
}

int main(void) {
    int value = 5;
    pthread_t a;
    pthread_create(&a, NULL, worker, &value);
    pthread_exit(NULL);
}
