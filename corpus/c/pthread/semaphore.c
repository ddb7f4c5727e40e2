/* Semaphores count: two of them make two threads take turns. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t ping, pong;
static int log_[10], length;

static void *worker(void *argument) {
    for (int i = 0; i < 3; i++) {
        sem_wait(&ping);
        log_[length++] = 2 * i;
        sem_post(&pong);
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    int value;
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    for (int i = 0; i < 3; i++) {
        sem_post(&ping);
        sem_wait(&pong);
        log_[length++] = 2 * i + 1;
    }
    pthread_join(thread, NULL);
    for (int i = 0; i < length; i++) printf("%d\n", log_[i]);
    int failed = sem_trywait(&ping);
    printf("%d %d\n", failed, errno == EAGAIN);
    sem_post(&ping);
    sem_post(&ping);
    sem_getvalue(&ping, &value);
    printf("%d %d\n", value, sem_trywait(&ping));
    sem_destroy(&ping);
    sem_destroy(&pong);
    return 0;
}
