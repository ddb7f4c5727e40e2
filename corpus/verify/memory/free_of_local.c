// A thread frees what it was given, which is a variable of main.
//@ all: memory fails: only heap blocks may be freed
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *argument) {
    free(argument);
    return NULL;
}

int main(void) {
    int local = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, worker, &local);
    pthread_join(thread, NULL);
    return local - 1;
}
