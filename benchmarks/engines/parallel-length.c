// The length of strings, counted by threads that each take a part and add to the sum.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 4
#endif
#define PART 4
char text[N * PART + 1];
atomic_int sum;

static void *count(void *argument) {
    long own = (long)argument;
    int length = 0;
    for (int i = 0; i < PART; i++)
        if (text[own * PART + i]) length++;
    atomic_fetch_add_explicit(&sum, length, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N * PART; i++) text[i] = 'a';
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, count, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    assert(atomic_load(&sum) == N * PART);
    return 0;
}
