// A thread waits on a semaphore that is posted only if a race is won.
//@ all: deadlock fails: the poster may look before the flag is raised
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t semaphore;
static atomic_int flag;

static void *waiter(void *unused) {
    atomic_store(&flag, 1);
    sem_wait(&semaphore);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, waiter, NULL);
    if (atomic_load(&flag))
        sem_post(&semaphore);
    pthread_join(thread, NULL);
    return 0;
}
