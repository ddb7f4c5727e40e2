/* The function of a once runs once, and is done before anybody's call of it returns. */
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int times, value;

static void initialise(void) {
    times++;
    value = 7;
}

static void *worker(void *argument) {
    (void)argument;
    pthread_once(&once, initialise);
    return (void *)(long)value;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    long sum = 0;
    for (int i = 0; i < 3; i++) {
        void *seen;
        pthread_join(threads[i], &seen);
        sum += (long)seen;
    }
    pthread_once(&once, initialise);
    printf("%d %ld\n", times, sum);
    return 0;
}
