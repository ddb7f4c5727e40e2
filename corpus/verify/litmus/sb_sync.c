// Store buffering on plain variables with the full barrier of gcc.
//@ sc tso pso relaxed armv8 power riscv: holds: the barrier is a full fence on every machine
//@ rc11: race fails, assert open: plain accesses of two threads conflict, whatever fences stand between
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int r1, r2;

static void *thread_1(void *unused) {
    x = 1;
    __sync_synchronize();
    r1 = y;
    return unused;
}

static void *thread_2(void *unused) {
    y = 1;
    __sync_synchronize();
    r2 = x;
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(r1 == 1 || r2 == 1);
    return 0;
}
