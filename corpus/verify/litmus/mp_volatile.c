// Message passing with volatile variables, as in old code.
//@ sc tso: holds: the machine keeps stores in order and loads in order
//@ pso relaxed armv8 power riscv: assert fails: volatile orders nothing for other processors
//@ rc11: assert fails, race fails: volatile accesses are plain ones to other threads
#include <assert.h>
#include <pthread.h>

static volatile int data, flag;

static void *thread_1(void *unused) {
    data = 1;
    flag = 1;
    return unused;
}

static void *thread_2(void *unused) {
    if (flag)
        assert(data == 1);
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
