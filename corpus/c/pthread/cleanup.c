/* Cleanup handlers run in reverse order when a thread exits, or when they are popped with 1. */
#include <pthread.h>
#include <stdio.h>

static char order[8];
static int count;

static void note(void *argument) {
    order[count++] = *(const char *)argument;
}

static void *worker(void *argument) {
    pthread_cleanup_push(note, "a");
    pthread_cleanup_push(note, "b");
    pthread_cleanup_push(note, "c");
    pthread_cleanup_pop(1);
    pthread_cleanup_push(note, "d");
    pthread_cleanup_pop(0);
    if (argument) pthread_exit(argument);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, order);
    pthread_join(thread, NULL);
    printf("%s\n", order);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    printf("%s\n", order);
    return 0;
}
