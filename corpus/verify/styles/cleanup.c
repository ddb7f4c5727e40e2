// A lock that is given back wherever the block is left, by the attribute `cleanup`.
//@ all: holds: whoever counts holds the lock, and nobody keeps it
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void unlock(pthread_mutex_t **held) {
    pthread_mutex_unlock(*held);
}

#define hold(mutex)                                                                                \
    pthread_mutex_lock(mutex);                                                                     \
    pthread_mutex_t *held __attribute__((cleanup(unlock))) = mutex

static void *work(void *unused) {
    hold(&mutex);
    if (count > 0) return unused;
    count++;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(count == 1);
    return 0;
}
