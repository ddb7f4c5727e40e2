// A thread looks again and again, with the lock, whether it may go on. Main finds the lock held, has
// it, and finds it held again.
//@ sc tso: assert fails: the thread may look once before main has the lock and once after that
#include <assert.h>
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

static int is_held(void) {
    if (pthread_mutex_trylock(&lock))
        return 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, polls, 0);
    int first = is_held();
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    int second = is_held();
    assert(!first || !second);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    return 0;
}
