/* Every thread has an errno of its own. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *worker(void *argument) {
    long before = errno;
    (void)argument;
    strtol("99999999999999999999", NULL, 10);
    return (void *)(before * 1000 + (errno == ERANGE));
}

int main(void) {
    pthread_t thread;
    void *result;
    errno = EINVAL;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, &result);
    printf("%ld %d\n", (long)result, errno == EINVAL);
    return 0;
}
