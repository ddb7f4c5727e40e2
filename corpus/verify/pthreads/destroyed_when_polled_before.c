// A thread that waits for a flag takes a lock again and again; when it has seen the flag, it says so,
// and main destroys the lock.
//@ sc tso: holds: the lock was given back before the thread says that it goes on
//@ pso relaxed armv8 rc11: assert fails, rest cut: main may see that the thread goes on before it sees the lock given back
//@ rc11: assert fails, rest cut, race fails: and nothing orders what the thread reads of the lock before main's write
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag, left;

static void *waits(void *unused) {
    while (!atomic_load_explicit(&flag, memory_order_relaxed)) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    atomic_store_explicit(&left, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, waits, 0);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    while (!atomic_load_explicit(&left, memory_order_relaxed))
        ;
    pthread_mutex_destroy(&lock);
    pthread_join(a, 0);
    return 0;
}
