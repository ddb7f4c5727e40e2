// A hand-made once whose flag is raised before the value is there.
//@ all: assert fails: the second thread finds the flag raised and goes on too early
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag begun = ATOMIC_FLAG_INIT;
static atomic_int value;

static void *worker(void *unused) {
    if (!atomic_flag_test_and_set(&begun))
        atomic_store(&value, 42);
    assert(atomic_load(&value) == 42);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
