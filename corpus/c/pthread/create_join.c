/* A thread gets its argument and its result comes back through join. */
#include <pthread.h>
#include <stdio.h>

static void *square(void *argument) {
    long value = (long)argument;
    return (void *)(value * value);
}

int main(void) {
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        if (pthread_create(&threads[i], NULL, square, (void *)(i + 2)) != 0) return 1;
    for (int i = 0; i < 4; i++) {
        void *result;
        if (pthread_join(threads[i], &result) != 0) return 2;
        printf("%ld\n", (long)result);
    }
    return 0;
}
