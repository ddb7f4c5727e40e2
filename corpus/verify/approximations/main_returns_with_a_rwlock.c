// Main returns while it holds a readers-writer lock that no other thread wants any more (S-230).
//@ all: deadlock fails: the word of the lock does not say that main holds it
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *adds(void *unused) {
    pthread_rwlock_wrlock(&lock);
    x++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, adds, NULL);
    pthread_join(thread, NULL);
    pthread_rwlock_rdlock(&lock);
    return x - 1;
}
