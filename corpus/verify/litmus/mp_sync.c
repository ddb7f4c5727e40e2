// Message passing on plain variables with the barrier of gcc on both sides.
//@ sc tso pso relaxed armv8 power riscv: holds: full fences keep the stores and the loads in order
//@ rc11: race fails, assert open: the flag itself is a plain variable
#include <assert.h>
#include <pthread.h>

static volatile int data, flag;

static void *thread_1(void *unused) {
    data = 1;
    __sync_synchronize();
    flag = 1;
    return unused;
}

static void *thread_2(void *unused) {
    if (flag) {
        __sync_synchronize();
        assert(data == 1);
    }
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
