// A detached thread waits for ever, and main ends its own thread only: the program never ends.
//@ all: deadlock fails: after pthread_exit, the process lives as long as the thread
#include <pthread.h>
#include <semaphore.h>

static sem_t work;

static void *serves(void *unused) {
    sem_wait(&work);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&work, 0, 0);
    pthread_create(&thread, NULL, serves, NULL);
    pthread_detach(thread);
    pthread_exit(NULL);
}
