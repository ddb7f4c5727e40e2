// Two threads that interpret little programs by computed goto.
//@ all: holds: each adds atomically what its program says, whatever the other does
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ADD, LOOP, HALT };
static atomic_int total;

static void interpret(const int *pc) {
    static const void *const table[] = {&&add, &&loop, &&halt};
    const int *start = pc;
    int rounds = 2;
    goto *table[*pc++];
add:
    atomic_fetch_add(&total, *pc++);
    goto *table[*pc++];
loop:
    if (--rounds > 0)
        pc = start;
    goto *table[*pc++];
halt:
    return;
}

static void *left(void *arg) {
    const int code[] = {ADD, 1, LOOP, HALT};
    interpret(code);
    return arg;
}

static void *right(void *arg) {
    const int code[] = {ADD, 10, ADD, 100, HALT};
    interpret(code);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(total == 112);
    return 0;
}
