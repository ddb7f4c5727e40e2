// A slot is chosen from outside before the worker starts; the check of the index is off by one.
//@ all: memory fails: the fifth slot is outside of the array
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int slots[4];
static int chosen;

static void *work(void *arg) {
    (void)arg;
    assert(slots[chosen] == 3);
    return 0;
}

int main(void) {
    pthread_t worker;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 4) return 0;
    slots[n] = 3;
    chosen = n;
    pthread_create(&worker, 0, work, 0);
    pthread_join(worker, 0);
    return 0;
}
