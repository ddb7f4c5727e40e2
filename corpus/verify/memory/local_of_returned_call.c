// A call starts a thread with the address of its local, and returns.
//@ all: memory fails, race open: nothing keeps the thread from reading when the call has returned
#include <pthread.h>

static int seen;

static void *reader(void *of) {
    seen = *(int *)of;
    return NULL;
}

static pthread_t start(void) {
    int value = 5;
    pthread_t thread;
    pthread_create(&thread, NULL, reader, &value);
    return thread;
}

int main(void) {
    pthread_join(start(), NULL);
    return 0;
}
