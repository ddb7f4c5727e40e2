// A block of as many numbers as the input says, between one and three; a thread writes one more.
//@ all: memory fails: the last index is the number of elements, whichever was chosen
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int *numbers, count;

static void *fill(void *unused) {
    for (int i = 0; i <= count; i++) numbers[i] = i;
    return unused;
}

int main(void) {
    count = __VERIFIER_nondet_int();
    __VERIFIER_assume(count > 0 && count < 4);
    numbers = calloc(count, sizeof(int));
    pthread_t thread;
    pthread_create(&thread, NULL, fill, NULL);
    pthread_join(thread, NULL);
    free(numbers);
    return 0;
}
