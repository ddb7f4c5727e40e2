// A thread looks again and again, with two locks, whether it may go on; main takes them in the other
// order.
//@ all imm lkmm: deadlock fails: each may have one lock and wait for the other
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *polls(void *unused) {
    int seen;
    do {
        pthread_mutex_lock(&one);
        pthread_mutex_lock(&other);
        seen = ready;
        pthread_mutex_unlock(&other);
        pthread_mutex_unlock(&one);
    } while (!seen);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, polls, 0);
    pthread_mutex_lock(&other);
    pthread_mutex_lock(&one);
    ready = 1;
    pthread_mutex_unlock(&one);
    pthread_mutex_unlock(&other);
    pthread_join(a, 0);
    return 0;
}
