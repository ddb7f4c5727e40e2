// A thread waits for main, which ends by pthread_exit, and sees what main has written.
//@ sc tso: holds: what main did is before its end, and so before what follows the join
#include <assert.h>
#include <pthread.h>

static pthread_t first;
static int data;

static void *waits(void *unused) {
    pthread_join(first, 0);
    assert(data == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    first = pthread_self();
    pthread_create(&thread, 0, waits, 0);
    data = 1;
    pthread_exit(0);
}
