// An unprotected counter loses an increment.
// fencepost run: --schedules 200
#include <assert.h>
#include <pthread.h>

static int counter;

static void *increment(void *unused) {
    counter = counter + 1;
    return unused;
}

static void *check(void *threads) {
    pthread_t *t = threads;
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(counter == 2);
    return 0;
}

int main(void) {
    pthread_t workers[2], checker;
    pthread_create(&workers[0], 0, increment, 0);
    pthread_create(&workers[1], 0, increment, 0);
    pthread_create(&checker, 0, check, workers);
    pthread_join(checker, 0);
    return 0;
}
