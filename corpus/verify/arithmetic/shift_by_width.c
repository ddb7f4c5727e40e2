// Each thread takes a bit of an unsigned mask, one more than it has.
//@ all: overflow fails: the last shift is by the width
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next = 30;
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
