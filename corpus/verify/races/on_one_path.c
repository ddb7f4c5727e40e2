// A race that only shows if a relaxed flag was seen in time.
//@ sc tso pso armv8 power riscv relaxed: holds: the value is read by nobody
//@ rc11: race fails: the flag is relaxed, so the two writes are not ordered
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int value;

static void *first(void *unused) {
    value = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

static void *second(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_relaxed))
        value = 2;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
