// Message passing whose writer forgot to release.
//@ sc tso: holds: stores are seen in order
//@ pso relaxed armv8 power riscv: assert fails: the flag may be seen before the data
//@ rc11: assert fails, race fails: nothing synchronises, so the data is a race
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static int data;
static atomic_int flag;

static int thread_1(void *unused) {
    (void)unused;
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return 0;
}

static int thread_2(void *unused) {
    (void)unused;
    if (atomic_load_explicit(&flag, memory_order_acquire)) {
        assert(data == 1);
    }
    return 0;
}

int main(void) {
    thrd_t t1, t2;
    thrd_create(&t1, thread_1, 0);
    thrd_create(&t2, thread_2, 0);
    thrd_join(t1, 0);
    thrd_join(t2, 0);
    return 0;
}
