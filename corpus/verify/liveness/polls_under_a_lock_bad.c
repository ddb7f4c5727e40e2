// Two threads look again and again, with the lock, whether there is work; main only says that there
// is none yet.
//@ all imm lkmm: liveness fails: taking the lock and giving it back changes nothing, and nobody ever sets the flag
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *polls(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int seen = ready;
        pthread_mutex_unlock(&lock);
        if (seen)
            return unused;
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, polls, 0);
    pthread_create(&b, 0, polls, 0);
    pthread_mutex_lock(&lock);
    ready = 0;
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
