// A thread waits for a flag and, while it does, tries to take a lock and gives it back.
//@ all imm: holds: whether it has the lock or not makes no difference to anybody
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int data;

static void *polls(void *unused) {
    while (!atomic_load(&ready))
        if (pthread_mutex_trylock(&lock) == 0)
            pthread_mutex_unlock(&lock);
    assert(data == 1);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, polls, 0);
    pthread_mutex_lock(&lock);
    data = 1;
    pthread_mutex_unlock(&lock);
    atomic_store(&ready, 1);
    pthread_join(a, 0);
    return 0;
}
