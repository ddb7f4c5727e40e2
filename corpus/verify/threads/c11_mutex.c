// C11 threads with a mutex and results.
//@ all: holds: the mutex makes the increments exclusive
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static int counter;

static int worker(void *argument) {
    mtx_lock(&mutex);
    int seen = counter++;
    mtx_unlock(&mutex);
    return seen + *(int *)argument;
}

int main(void) {
    thrd_t threads[2];
    int base = 10, results[2];
    mtx_init(&mutex, mtx_plain);
    for (int i = 0; i < 2; i++)
        thrd_create(&threads[i], worker, &base);
    for (int i = 0; i < 2; i++)
        thrd_join(threads[i], &results[i]);
    mtx_destroy(&mutex);
    assert(counter == 2);
    assert(results[0] + results[1] == 21);
    return 0;
}
