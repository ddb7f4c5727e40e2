// A thread looks again and again, with the lock, whether data is there; main says so before it is.
//@ all imm lkmm: assert fails: the data may be written after the thread has seen the flag
//@ rc11 imm lkmm: assert fails, race fails: and nothing orders its write before the read
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, data;

static void *polls(void *unused) {
    int seen;
    do {
        pthread_mutex_lock(&lock);
        seen = ready;
        pthread_mutex_unlock(&lock);
    } while (!seen);
    assert(data == 1);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, polls, 0);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    data = 1;
    pthread_join(a, 0);
    return 0;
}
