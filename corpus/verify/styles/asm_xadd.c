// Store buffering where both threads store by lock xadd, which adds to zero.
//@ sc tso pso relaxed: holds: a locked instruction is a full fence
#include <assert.h>
#include <pthread.h>

static int x, y, r0, r1;

static void *p0(void *arg) {
    (void)arg;
    int one = 1;
    asm volatile("lock; xaddl %0, %1" : "+r"(one), "+m"(x));
    r0 = y;
    return 0;
}

static void *p1(void *arg) {
    (void)arg;
    int one = 1;
    asm volatile("lock; xaddl %0, %1" : "+r"(one), "+m"(y));
    r1 = x;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, p0, 0);
    pthread_create(&b, 0, p1, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(r0 || r1);
    return 0;
}
