// An array that memset clears by words before threads use its elements.
//@ all: holds: the words are cleared before the threads start, and each thread has its own element
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int cells[3];

static void *work(void *argument) {
    int *cell = argument;
    assert(*cell == 0);
    *cell = 7;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    cells[0] = cells[1] = 5;
    memset(cells, 0, sizeof cells);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &cells[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(cells[0] == 7 && cells[1] == 7 && cells[2] == 0);
    return 0;
}
