// A variable-length array of one to three numbers, of which the second is used: not there if the
// input says one.
//@ all: memory fails: an array of one number has no second
//@ relaxed: open: what a thread reads may come from behind the allocation there, so its size is refused
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static void *use(void *unused) {
    int count = __VERIFIER_nondet_int();
    __VERIFIER_assume(count > 0 && count < 4);
    int numbers[count];
    numbers[1] = count;
    return numbers[1] ? unused : NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    pthread_join(thread, NULL);
    return 0;
}
