/* pthread_exit ends a thread from inside a call, with a result. */
#include <pthread.h>
#include <stdio.h>

static int answer = 42;

static void leave(int deep) {
    if (deep == 0) pthread_exit(&answer);
    leave(deep - 1);
    printf("never\n");
}

static void *worker(void *argument) {
    leave(3);
    return argument;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, &result);
    printf("%d %d\n", result == &answer, *(int *)result);
    return 0;
}
