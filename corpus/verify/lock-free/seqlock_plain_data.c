// A sequence lock over plain variables: right on machines with strong fences, a race in C11.
//@ sc tso pso relaxed armv8 power riscv: holds: the fences keep the data between the two looks
//@ rc11: race fails, assert open: the reader reads plain data while it is written, even if it throws it away
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static int first, second;

static void *writer(void *unused) {
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    first = 1;
    second = 1;
    atomic_store_explicit(&sequence, 2, memory_order_release);
    return unused;
}

static void *reader(void *unused) {
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    if (before % 2 == 0) {
        int one = first;
        int two = second;
        atomic_thread_fence(memory_order_seq_cst);
        if (atomic_load_explicit(&sequence, memory_order_relaxed) == before)
            assert(one == two);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
