// A thread that nobody awaits uses a local of main.
//@ all: holds: when main returns the whole program ends
#include <pthread.h>

static void *worker(void *to) {
    *(int *)to = 6;
    return NULL;
}

int main(void) {
    int value = 5;
    pthread_t a;
    pthread_create(&a, NULL, worker, &value);
    return 0;
}
