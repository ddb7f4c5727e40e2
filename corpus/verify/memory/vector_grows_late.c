// A vector under a mutex that grows only when it is already too small.
//@ all: memory fails: the second push finds the vector full and writes behind its end
//@ relaxed: open: what a thread reads may come from behind the allocation there, so its size is refused
#include <pthread.h>
#include <stdlib.h>

static int *numbers;
static int count, capacity;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *push(void *argument) {
    pthread_mutex_lock(&mutex);
    if (count > capacity || !numbers) {
        capacity = capacity ? 2 * capacity : 1;
        numbers = realloc(numbers, capacity * sizeof *numbers);
    }
    numbers[count++] = *(int *)argument;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int keys[2] = { 1, 2 };
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, push, &keys[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    free(numbers);
    return 0;
}
