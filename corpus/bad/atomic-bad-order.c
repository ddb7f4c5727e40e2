// A memory order that is only known when the program runs, and orders that make no sense.
#include <stdatomic.h>
atomic_int x;
int main(int argc, char **argv) {
    int a = atomic_load_explicit(&x, memory_order_release);
    atomic_store_explicit(&x, 1, memory_order_acquire);
    atomic_store_explicit(&x, 1, argc + 1);
    __atomic_load_n(&x, 17);
    return a;
}
