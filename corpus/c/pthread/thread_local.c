/* A thread-local object starts with its initial value in every thread. */
#include <pthread.h>
#include <stdio.h>

static _Thread_local int mine = 5;
static __thread int *where;

static void *worker(void *argument) {
    where = &mine;
    mine += (int)(long)argument;
    *where *= 2;
    return (void *)(long)mine;
}

int main(void) {
    pthread_t threads[3];
    mine = 100;
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(threads[i], &result);
        printf("%ld\n", (long)result);
    }
    printf("%d %d\n", mine, where == NULL);
    return 0;
}
