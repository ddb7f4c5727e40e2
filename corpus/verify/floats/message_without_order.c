// A number and a flag that says that it is there, without any order between them.
//@ sc tso: holds: stores are seen in order and loads are performed in order
//@ pso relaxed armv8 power riscv: assert fails: the flag may be seen before the number, which is still zero then
//@ rc11: assert fails, race fails: nothing orders the two accesses to the number
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static double number;
static atomic_int ready;

static void *writer(void *unused) {
    number = 2.5;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

static void *reader(void *unused) {
    if (atomic_load_explicit(&ready, memory_order_relaxed)) assert(10 / number == 4);
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
