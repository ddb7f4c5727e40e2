// The failure of a compare-and-swap releases nothing: taken as what is left of the order.
#include <stdatomic.h>

static atomic_int word;

int main(void) {
    int old = 0;
    atomic_compare_exchange_strong_explicit(&word, &old, 1, memory_order_release,
                                            memory_order_release);
    old = 1;
    return !__atomic_compare_exchange_n(&word, &old, 2, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQ_REL);
}
