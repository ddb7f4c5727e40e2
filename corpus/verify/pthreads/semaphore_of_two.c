// A semaphore that starts at two lets both threads in.
//@ sc tso pso relaxed armv8 power riscv: assert fails: two may be between wait and post
//@ rc11: race fails, assert fails: the two increments are not ordered
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static int counter;

static void *worker(void *unused) {
    sem_wait(&semaphore);
    counter++;
    sem_post(&semaphore);
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&semaphore, 0, 2);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
