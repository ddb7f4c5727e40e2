// Three threads add to a sum and a count under one lock; whoever looks sees their average.
//@ all: holds: the lock keeps sum and count together, and the numbers are such that no order of adding rounds
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double sum;
static int count;

static void *add(void *argument) {
    const float *number = argument;
    pthread_mutex_lock(&lock);
    sum += *number;
    count++;
    double average = sum / count;
    pthread_mutex_unlock(&lock);
    assert(average >= 1.5 && average <= 4);
    return NULL;
}

int main(void) {
    static float numbers[] = {1.5f, 2, 4};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, add, &numbers[i]);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(sum == 7.5 && sum / count == 2.5);
    return 0;
}
