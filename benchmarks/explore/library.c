// A state that only a library knows how to advance, which the test compiles from advance.c
// (--native ./libadvance.so:advance).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

unsigned long advance(unsigned long state, unsigned by);

#ifndef N
#define N 2
#endif

atomic_ulong state = 1;

static void *steps(void *unused) {
    for (int i = 0; i < N; i++) {
        unsigned long old = atomic_load(&state);
        while (!atomic_compare_exchange_strong(&state, &old, advance(old, 3)))
            ;
    }
    return 0;
}

int main(void) {
    unsigned long expected = 1;
    for (int i = 0; i < 2 * N; i++)
        expected = advance(expected, 3);
    pthread_t thread;
    pthread_create(&thread, 0, steps, 0);
    steps(0);
    pthread_join(thread, 0);
    assert(state == expected);
}
