// A mutex is in a block that is freed while another thread may hold it.
//@ all: memory fails, race open: the thread unlocks, or locks again, what is gone
#include <pthread.h>
#include <stdlib.h>

struct counted {
    pthread_mutex_t lock;
    int count;
};

static struct counted *shared;

static void *counts(void *unused) {
    pthread_mutex_lock(&shared->lock);
    pthread_mutex_unlock(&shared->lock);
    pthread_mutex_lock(&shared->lock);
    shared->count = 1;
    pthread_mutex_unlock(&shared->lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    shared = calloc(1, sizeof *shared);
    pthread_mutex_init(&shared->lock, NULL);
    pthread_create(&thread, NULL, counts, NULL);
    free(shared);
    pthread_join(thread, NULL);
    return 0;
}
