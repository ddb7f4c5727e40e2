// Two plain loads of one location.
//@ sc tso pso armv8 power riscv: holds: machines of today keep loads of one location in order
//@ relaxed rmo: assert fails: two loads of one location may be swapped
//@ rc11: race fails, assert open: plain accesses conflict
#include <assert.h>
#include <pthread.h>

static volatile int x;

static void *thread_1(void *unused) {
    x = 1;
    return unused;
}

static void *thread_2(void *unused) {
    int first = x;
    int second = x;
    assert(!(first == 1 && second == 0));
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
