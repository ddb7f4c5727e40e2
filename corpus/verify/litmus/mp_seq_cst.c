// Message passing with seq_cst accesses of the flag.
//@ all: holds: seq_cst includes release and acquire
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static int data;
static atomic_int flag;

static int thread_1(void *unused) {
    (void)unused;
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_seq_cst);
    return 0;
}

static int thread_2(void *unused) {
    (void)unused;
    if (atomic_load_explicit(&flag, memory_order_seq_cst)) {
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
