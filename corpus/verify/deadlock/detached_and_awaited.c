// A thread is detached and waits for work that never comes, and main waits for its answer: the
// program never ends.
//@ all: deadlock fails: main waits for a post that only the detached thread makes
#include <pthread.h>
#include <semaphore.h>

static sem_t work, done;

static void *serves(void *unused) {
    sem_wait(&work);
    sem_post(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&work, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, serves, NULL);
    pthread_detach(thread);
    sem_wait(&done);
    return 0;
}
