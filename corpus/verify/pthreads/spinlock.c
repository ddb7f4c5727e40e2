// A POSIX spinlock around two counters that must stay equal.
//@ all: holds: nobody sees the state between the two increments
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int first, second;

static void *worker(void *unused) {
    pthread_spin_lock(&lock);
    assert(first == second);
    first++;
    second++;
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(first == 2 && second == 2);
    return 0;
}
