// A value that may be anything is checked before it is used.
//@ all: holds: every input in range is handled
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int cells[4];

static void *worker(void *argument) {
    cells[*(int *)argument] = 1;
    return NULL;
}

int main(void) {
    int index = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= index && index < 4);
    pthread_t thread;
    pthread_create(&thread, NULL, worker, &index);
    pthread_join(thread, NULL);
    assert(cells[index] == 1);
    return 0;
}
