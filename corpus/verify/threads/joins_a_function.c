// The handle that is joined is the address of a function: there is no such thread.
//@ all: assert fails, rest cut: what is joined is not a thread
#include <pthread.h>

static void *thread(void *unused) {
    return unused;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, NULL, thread, NULL);
    return pthread_join((pthread_t)thread, NULL);
}
