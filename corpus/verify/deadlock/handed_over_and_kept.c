// A thread takes a lock and gives it back, then starts another one, which takes it and ends.
//@ all: deadlock fails: nobody gives the lock back
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t inner;

static void *keeps(void *unused) {
    pthread_mutex_lock(&lock);
    return unused;
}

static void *starts(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_create(&inner, 0, keeps, 0);
    pthread_join(inner, 0);
    return unused;
}

int main(void) {
    pthread_t outer;
    pthread_create(&outer, 0, starts, 0);
    pthread_join(outer, 0);
    return 0;
}
