// Store buffering: one thread stores by xchg, the other by mov.
//@ sc: holds: one of the stores is first
//@ tso pso relaxed: assert fails: the mov may wait in its buffer while the load behind it is done
#include <assert.h>
#include <pthread.h>

static int x, y, r0, r1;

static void *p0(void *arg) {
    (void)arg;
    int one = 1;
    asm volatile("xchgl %0, %1; movl %3, %2" : "+r"(one), "+m"(x), "=r"(r0) : "m"(y));
    return 0;
}

static void *p1(void *arg) {
    (void)arg;
    asm volatile("movl $1, %0\n\tmovl %2, %1" : "=m"(y), "=r"(r1) : "m"(x));
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
