// A thread counts, with the lock, how often it has looked whether it may go on; main takes it for
// granted that it looks twice at most.
//@ all imm lkmm: assert fails: it may look as often as it likes before main has the lock
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, looked;

static void *polls(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int seen = ready;
        if (!seen && looked < 3)
            looked++;
        pthread_mutex_unlock(&lock);
        if (seen)
            return unused;
    }
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, polls, 0);
    pthread_mutex_lock(&lock);
    assert(looked <= 2);
    ready = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    return 0;
}
