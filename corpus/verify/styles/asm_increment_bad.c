// An increment in one instruction that is not locked is not atomic.
//@ sc tso pso relaxed: assert fails: both may read before either writes
#include <assert.h>
#include <pthread.h>

static int counter;

static void *worker(void *arg) {
    (void)arg;
    __asm__ __volatile__("incl %0" : "+m"(counter));
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
