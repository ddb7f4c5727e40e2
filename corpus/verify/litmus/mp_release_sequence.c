// The flag is raised by a release store and then counted up by a relaxed read-modify-write of another thread.
//@ all: holds: a read-modify-write continues the release sequence of the store that it read
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *thread_1(void *unused) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

static void *thread_2(void *unused) {
    int one = 1;
    atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_relaxed, memory_order_relaxed);
    return unused;
}

static void *thread_3(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        assert(data == 1);
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
