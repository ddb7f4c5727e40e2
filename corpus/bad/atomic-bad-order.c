// Memory orders that make no sense.
#include <stdatomic.h>
atomic_int x;
int main(void) {
    int a = atomic_load_explicit(&x, memory_order_release);
    atomic_store_explicit(&x, 1, memory_order_acquire);
    __atomic_load_n(&x, 17);
    return a;
}
