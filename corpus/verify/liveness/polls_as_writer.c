// Looks at a flag under a lock that it takes for writing; nobody sets the flag.
//@ sc tso: liveness fails: when the other thread has ended, the flag stays as it is
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int flag;

static void *look(void *argument) {
    pthread_rwlock_rdlock(&lock);
    int seen = flag;
    pthread_rwlock_unlock(&lock);
    return seen ? argument : NULL;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, look, NULL);
    while (!seen) {
        pthread_rwlock_wrlock(&lock);
        seen = flag;
        pthread_rwlock_unlock(&lock);
    }
    pthread_join(thread, NULL);
    return 0;
}
