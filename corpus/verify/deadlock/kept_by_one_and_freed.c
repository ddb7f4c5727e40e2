// A thread uses locks of its own as it should, one in a block, one of a call; main leaves with one.
//@ all: holds: each is released, or ends with the program
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t of_main = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *unused) {
    pthread_mutex_t *own = malloc(sizeof *own), local = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_init(own, NULL);
    pthread_mutex_lock(&local);
    pthread_mutex_lock(own);
    pthread_mutex_unlock(own);
    pthread_mutex_destroy(own);
    free(own);
    pthread_mutex_unlock(&local);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_mutex_lock(&of_main);
    pthread_join(t, NULL);
    return 0;
}
