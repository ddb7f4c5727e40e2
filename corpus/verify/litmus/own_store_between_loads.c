// A store to an object of the thread's own orders two loads: it depends on the first, and the fence
// orders it before the second. That no other thread reads what is stored does not matter.
//@ sc tso pso rmo armv8 power riscv: holds: the loads are in order
#include <assert.h>
#include <checkfence.h>
#include <pthread.h>

static int x, y, own;

static void *thread_1(void *unused) {
    y = 1;
    fence("store-store");
    x = 1;
    return unused;
}

static void *thread_2(void *unused) {
    int first = x;
    own = first;
    fence("store-load");
    int second = y;
    assert(!(first == 1 && second == 0));
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
