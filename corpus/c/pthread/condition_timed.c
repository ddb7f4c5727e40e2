/* A timed wait that nobody answers ends with ETIMEDOUT and holds the mutex again. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

int main(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_nsec += 1000000;
    if (deadline.tv_nsec >= 1000000000) {
        deadline.tv_sec++;
        deadline.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&mutex);
    printf("%d\n", pthread_cond_timedwait(&never, &mutex, &deadline) == ETIMEDOUT);
    printf("%d\n", pthread_mutex_trylock(&mutex) == EBUSY);
    printf("%d\n", pthread_mutex_unlock(&mutex));
    return 0;
}
