// While a thread waits for a flag, it looks at x; main writes x when the thread has left its loop.
//@ sc tso pso armv8 power riscv: holds: accesses are values there, and nobody looks at this one
//@ rc11 imm: race fails: nothing orders the earlier look and the write, since all flags are relaxed
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go, gone;
static int x;

static void *waits(void *unused) {
    while (!atomic_load_explicit(&go, memory_order_relaxed))
        if (x == 7)
            atomic_store(&gone, 3);
    atomic_store_explicit(&gone, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waits, 0);
    atomic_store_explicit(&go, 1, memory_order_relaxed);
    while (atomic_load_explicit(&gone, memory_order_relaxed) != 1)
        ;
    x = 5;
    pthread_join(thread, 0);
    return 0;
}
