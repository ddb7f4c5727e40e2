// Message passing whose reader waits for the flag.
//@ all: holds: the loop ends because the store becomes visible, and then the data is there
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
    while (!atomic_load_explicit(&flag, memory_order_acquire))
        ;
    assert(data == 1);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
