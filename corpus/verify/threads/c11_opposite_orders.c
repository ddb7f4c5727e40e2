// C11 mutexes in opposite orders.
//@ all: deadlock fails: each may hold the one that the other waits for
#include <threads.h>

static mtx_t a, b;

static int forward(void *unused) {
    (void)unused;
    mtx_lock(&a);
    mtx_lock(&b);
    mtx_unlock(&b);
    mtx_unlock(&a);
    return 0;
}

static int backward(void *unused) {
    (void)unused;
    mtx_lock(&b);
    mtx_lock(&a);
    mtx_unlock(&a);
    mtx_unlock(&b);
    return 0;
}

int main(void) {
    thrd_t one, two;
    mtx_init(&a, mtx_plain);
    mtx_init(&b, mtx_plain);
    thrd_create(&one, forward, 0);
    thrd_create(&two, backward, 0);
    thrd_join(one, 0);
    thrd_join(two, 0);
    return 0;
}
