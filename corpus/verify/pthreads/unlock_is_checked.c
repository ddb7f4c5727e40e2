// A mutex that checks errors says that another thread holds it: this is defined, and goes on.
//@ all: memory fails: the thread goes on after the error that it was given
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int *nothing;

static void *unlocks(void *unused) {
    if (pthread_mutex_unlock(&lock) == EPERM) *nothing = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, unlocks, NULL);
    pthread_join(thread, NULL);
    return 0;
}
