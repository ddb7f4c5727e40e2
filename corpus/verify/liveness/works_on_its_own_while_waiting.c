// A thread waits for a flag that nobody sets, and meanwhile writes to what is its own.
//@ all: liveness fails: what it writes is nobody's concern, and what it waits for never comes
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int phase;

static void *waits(void *unused) {
    while (!atomic_load(&flag)) {
        phase = 1;
        phase = 2;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waits, 0);
    pthread_join(thread, 0);
    return 0;
}
