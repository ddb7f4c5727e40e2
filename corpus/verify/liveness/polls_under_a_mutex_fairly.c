// The same with a mutex: it is free again and again, and then the thread that waits for it is not
// passed over for ever.
//@ sc tso: holds: acquiring a mutex is fair
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready, rounds;

static void *polls(void *unused) {
    int done = 0;
    while (!done) {
        pthread_mutex_lock(&mutex);
        done = ready;
        rounds = !rounds;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *sets(void *unused) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, polls, 0);
    pthread_create(&b, 0, sets, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
