// Two threads need the same table, which pthread_once prepares.
//@ all: holds: the routine runs once, and has ended when pthread_once returns
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int prepared, value;

static void prepare(void) {
    prepared++;
    value = 42;
}

static void *worker(void *unused) {
    pthread_once(&once, prepare);
    assert(value == 42);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(prepared == 1);
    return 0;
}
