// A thread unlocks a mutex that main may hold. What follows is undefined, so nothing else holds.
//@ all: assert fails, rest cut: main holds the mutex, or none does
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *nothing;

static void *unlocks(void *unused) {
    pthread_mutex_unlock(&lock);
    *nothing = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, unlocks, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
