// Two threads fold numbers into one hash, so that every order of the steps gives another one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

atomic_uint hash = 5381;
unsigned steps[2];

static void mix(int who, unsigned by) {
    unsigned old = atomic_load(&hash);
    while (!atomic_compare_exchange_strong(&hash, &old, (old ^ by) * 16777619u))
        ;
    steps[who]++;
}

static void *other(void *unused) {
    for (unsigned i = 1; i <= N; i++)
        mix(1, 2 * i);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    for (unsigned i = 1; i <= N; i++)
        mix(0, 2 * i + 1);
    pthread_join(thread, 0);
    assert(steps[0] == N && steps[1] == N);
    assert(hash % 1000003 != 0);
}
