// The thread-local object of a thread that has ended is written.
//@ all: memory fails, race open: it is gone with its thread
#include <pthread.h>

static _Thread_local int own = 3;
static int *shown;

static void *worker(void *unused) {
    shown = &own;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    pthread_join(a, NULL);
    *shown = 4;
    return 0;
}
