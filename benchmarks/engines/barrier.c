// N threads that meet at a barrier once: nobody is past it before everybody has come.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
static atomic_int come;
static int written[N];

static void *visitor(void *number) {
    written[(long)number] = 1;
    atomic_fetch_add_explicit(&come, 1, memory_order_acq_rel);
    while (atomic_load_explicit(&come, memory_order_acquire) != N) {
    }
    assert(written[((long)number + 1) % N] == 1);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, visitor, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
    return 0;
}
