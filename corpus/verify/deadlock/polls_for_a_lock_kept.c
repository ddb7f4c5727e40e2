// A thread looks again and again, with the lock, whether it may go on; main says so and keeps the lock.
//@ all imm lkmm: deadlock fails: main awaits the thread, which waits for the lock
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *polls(void *unused) {
    int seen;
    do {
        pthread_mutex_lock(&lock);
        seen = ready;
        pthread_mutex_unlock(&lock);
    } while (!seen);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, polls, 0);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_join(a, 0);
    pthread_mutex_unlock(&lock);
    return 0;
}
