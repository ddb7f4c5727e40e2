// A flag that is volatile: a data race in C11, unless it is taken for what its author means.
//$ verify FILE --model rc11 --property race --property assert
//$ verify FILE --model rc11,armv8 --property race --property assert --volatile relaxed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static volatile int flag;
static int data;
static void *writes(void *unused) {
    data = 1;
    atomic_thread_fence(memory_order_release);
    flag = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writes, NULL);
    if (flag) {
        atomic_thread_fence(memory_order_acquire);
        assert(data == 1);
    }
    pthread_join(thread, NULL);
    return 0;
}
