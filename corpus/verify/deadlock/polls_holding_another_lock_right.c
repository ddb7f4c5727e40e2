// A thread that holds a lock looks again and again, with another one, for what main says.
//@ all imm lkmm: holds: main needs only the lock that the thread gives back
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *polls(void *unused) {
    int seen;
    pthread_mutex_lock(&outer);
    do {
        pthread_mutex_lock(&inner);
        seen = ready;
        pthread_mutex_unlock(&inner);
    } while (!seen);
    pthread_mutex_unlock(&outer);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, polls, 0);
    pthread_mutex_lock(&inner);
    ready = 1;
    pthread_mutex_unlock(&inner);
    pthread_mutex_lock(&outer);
    pthread_mutex_unlock(&outer);
    pthread_join(a, 0);
    return 0;
}
