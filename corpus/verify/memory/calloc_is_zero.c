// A thread reads what calloc made and nobody wrote.
//@ all: holds: calloc gives zeros
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *argument) {
    int *cells = argument;
    assert(cells[0] == 0 && cells[1] == 0);
    return NULL;
}

int main(void) {
    int *cells = calloc(2, sizeof *cells);
    pthread_t thread;
    pthread_create(&thread, NULL, worker, cells);
    pthread_join(thread, NULL);
    free(cells);
    return 0;
}
