// Threads move a phase, and what it is worth comes from the machine's libm
// (--native libm.so.6:cos).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

double cos(double);

#ifndef N
#define N 2
#endif

atomic_int phase;
atomic_int signal_sum;

static void *moves(void *unused) {
    for (int i = 0; i < N; i++) {
        int now = atomic_fetch_add(&phase, 1);
        int value = (int)(100 * cos(now / 4.0));
        assert(value >= -100 && value <= 100);
        atomic_fetch_add(&signal_sum, value);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, moves, 0);
    moves(0);
    pthread_join(thread, 0);
    int sum = 0;
    for (int i = 0; i < 2 * N; i++)
        sum += (int)(100 * cos(i / 4.0));
    assert(signal_sum == sum);
}
