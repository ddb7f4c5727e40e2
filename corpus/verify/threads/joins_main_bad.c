// A thread waits for main, which ends by pthread_exit, and goes on.
//@ sc tso: assert fails: main has written when it ends
#include <assert.h>
#include <pthread.h>

static pthread_t first;
static int data;

static void *waits(void *unused) {
    pthread_join(first, 0);
    assert(data == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    first = pthread_self();
    pthread_create(&thread, 0, waits, 0);
    data = 1;
    pthread_exit(0);
}
