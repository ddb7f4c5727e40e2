/* Attributes of threads are stored and read back; a bad detach state is refused. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static void *worker(void *argument) {
    return argument;
}

int main(void) {
    pthread_attr_t attr;
    pthread_t thread;
    int state;
    size_t size;
    pthread_attr_init(&attr);
    pthread_attr_getdetachstate(&attr, &state);
    printf("%d\n", state == PTHREAD_CREATE_JOINABLE);
    printf("%d\n", pthread_attr_setstacksize(&attr, 1 << 20));
    pthread_attr_getstacksize(&attr, &size);
    printf("%zu\n", size);
    printf("%d\n", pthread_attr_setdetachstate(&attr, 77) == EINVAL);
    printf("%d\n", pthread_create(&thread, &attr, worker, NULL));
    printf("%d\n", pthread_join(thread, NULL));
    pthread_attr_destroy(&attr);
    return 0;
}
