// Every thread gets the address of a number of its own.
//@ all: holds: each number is written before its thread is created, and stays
#include <assert.h>
#include <pthread.h>

static int seen[2];

static void *worker(void *argument) {
    seen[*(int *)argument]++;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2];
    for (int i = 0; i < 2; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, worker, &numbers[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(seen[0] == 1 && seen[1] == 1);
    return 0;
}
