// Two threads feed samples into an exponential moving average, in floating point.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
double average = 1.0, weight = 0.5;

static void sample(double value) {
    pthread_mutex_lock(&mutex);
    average = average * (1 - weight) + value * weight;
    pthread_mutex_unlock(&mutex);
}

static void *sensor(void *unused) {
    for (int i = 0; i < N; i++)
        sample(1.0 + i / 3.0);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, sensor, 0);
    for (int i = 0; i < N; i++)
        sample(2.0 - i / 3.0);
    pthread_join(thread, 0);
    assert(average > 0 && average < 4);
}
