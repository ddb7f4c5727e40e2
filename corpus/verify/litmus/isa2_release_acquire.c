// A message is handed on by a second thread.
//@ all: holds: synchronisation is transitive
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;

static void *thread_1(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    return unused;
}

static void *thread_2(void *unused) {
    if (atomic_load_explicit(&y, memory_order_acquire))
        atomic_store_explicit(&z, 1, memory_order_release);
    return unused;
}

static void *thread_3(void *unused) {
    if (atomic_load_explicit(&z, memory_order_acquire))
        assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
    return unused;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_create(&t3, NULL, thread_3, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
