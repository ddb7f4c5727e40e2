/* A thread's own handle equals the one that create gave, and differs from main's. */
#include <pthread.h>
#include <stdio.h>

static pthread_t main_thread;

static void *worker(void *argument) {
    pthread_t *seen = argument;
    *seen = pthread_self();
    return pthread_equal(main_thread, pthread_self()) ? argument : NULL;
}

int main(void) {
    pthread_t thread, seen;
    void *same;
    main_thread = pthread_self();
    pthread_create(&thread, NULL, worker, &seen);
    pthread_join(thread, &same);
    printf("%d %d\n", pthread_equal(thread, seen) != 0, same != NULL);
    printf("%d\n", pthread_equal(main_thread, pthread_self()) != 0);
    return 0;
}
