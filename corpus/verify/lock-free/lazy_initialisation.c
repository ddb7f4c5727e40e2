// The first to need an object makes it; who loses the compare-and-swap throws its own away.
//@ all: holds: everybody uses the object that was published, and the other one is freed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic shared;

static void *worker(void *unused) {
    int *mine = atomic_load_explicit(&shared, memory_order_acquire);
    if (mine == NULL) {
        int *made = malloc(sizeof *made);
        *made = 3;
        if (atomic_compare_exchange_strong_explicit(&shared, &mine, made, memory_order_acq_rel,
                                                    memory_order_acquire))
            mine = made;
        else
            free(made);
    }
    assert(*mine == 3);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(shared);
    return 0;
}
