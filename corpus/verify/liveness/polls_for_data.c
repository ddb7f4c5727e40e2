// A thread looks again and again, with the lock, whether data is there, and reads it without the
// lock.
//@ all imm lkmm: holds: the data is written before the lock is given back with the flag set, and the lock orders it
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, data;

static void *polls(void *unused) {
    int seen = 0;
    while (!seen) {
        pthread_mutex_lock(&lock);
        seen = ready;
        pthread_mutex_unlock(&lock);
        sched_yield();
    }
    assert(data == 1);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, polls, 0);
    data = 1;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    pthread_mutex_destroy(&lock);
    return 0;
}
