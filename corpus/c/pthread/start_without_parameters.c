/* A start routine that is declared without parameters: its argument is not looked at. */
#include <pthread.h>
#include <stdio.h>

static int count;

static void *raise() {
    count++;
    return &count;
}

int main() {
    pthread_t thread;
    void *result;
    if (pthread_create(&thread, NULL, raise, NULL)) return 1;
    pthread_join(thread, &result);
    printf("%d %d\n", count, result == &count);
    return 0;
}
