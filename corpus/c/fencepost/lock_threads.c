/* CheckFence's lock keeps three threads apart. */
#include <checkfence.h>
#include <pthread.h>
#include <stdio.h>

static lock_t mutex = LOCK_INITIALIZER;
static int counter;

static void *worker(void *argument) {
    for (int i = 0; i < 5; i++) {
        lock(&mutex);
        int seen = counter;
        counter = seen + 1;
        unlock(&mutex);
    }
    return argument;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    printf("%d\n", counter);
    return 0;
}
