/* A spinlock protects a counter; trylock tells whether it is held. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t lock;
static int counter;

static void *worker(void *argument) {
    for (int i = 0; i < 10; i++) {
        pthread_spin_lock(&lock);
        counter++;
        pthread_spin_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&threads[0], NULL, worker, NULL);
    pthread_create(&threads[1], NULL, worker, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("%d\n", counter);
    printf("%d\n", pthread_spin_trylock(&lock));
    printf("%d\n", pthread_spin_trylock(&lock) == EBUSY);
    pthread_spin_unlock(&lock);
    return pthread_spin_destroy(&lock);
}
