// Three threads append to an array with room for two, inside of a struct with more behind it.
//@ all: memory fails: the third writes behind the array, into the next member
#include <pthread.h>
#include <stdatomic.h>

static struct {
    int items[2];
    int others[2];
} queue;
static atomic_int used;

static void *worker(void *unused) {
    queue.items[atomic_fetch_add(&used, 1)] = 1;
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
