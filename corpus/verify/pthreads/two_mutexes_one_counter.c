// Each thread takes a mutex, but not the same one.
//@ sc tso pso relaxed armv8 power riscv: assert fails: two mutexes exclude nobody
//@ rc11: race fails, assert fails: two mutexes order nothing
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutexes[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int counter;

static void *worker(void *mutex) {
    pthread_mutex_lock(mutex);
    counter++;
    pthread_mutex_unlock(mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &mutexes[0]);
    pthread_create(&b, NULL, worker, &mutexes[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
