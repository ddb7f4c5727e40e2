// A thread looks again and again, with the lock, whether it may go on; main destroys the lock when it
// has said so.
//@ all imm: assert fails, rest cut: the thread may hold it at that moment, or take it later
//@ rc11 imm: assert fails, rest cut, race open: main may destroy it while the thread looks whether that was done
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
    pthread_mutex_unlock(&lock);
    pthread_mutex_destroy(&lock);
    pthread_join(a, 0);
    return 0;
}
