// Each thread takes a bit of an unsigned mask; there are as many bits as the mask has.
//@ all: holds: an unsigned number has no sign
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next = 29;
static atomic_uint mask;

static void *worker(void *unused) {
    atomic_fetch_or(&mask, 1u << atomic_fetch_add(&next, 1));
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
