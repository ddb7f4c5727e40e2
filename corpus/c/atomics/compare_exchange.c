/* A failed compare-exchange writes what it found to `expected`; a weak one succeeds in the end. */
#include <stdatomic.h>
#include <stdio.h>

int main(void) {
    atomic_int object = 5;
    int expected = 4;
    printf("%d", atomic_compare_exchange_strong(&object, &expected, 9));
    printf(" %d %d\n", expected, atomic_load(&object));
    printf("%d", atomic_compare_exchange_strong_explicit(&object, &expected, 9, memory_order_acq_rel,
                                                         memory_order_relaxed));
    printf(" %d %d\n", expected, atomic_load(&object));
    int tries = 0;
    do {
        expected = 9;
        tries++;
    } while (!atomic_compare_exchange_weak(&object, &expected, expected + 1));
    printf("%d %d\n", tries >= 1, object);
    expected = 0;
    while (!atomic_compare_exchange_weak_explicit(&object, &expected, expected * 2,
                                                  memory_order_relaxed, memory_order_relaxed)) {}
    printf("%d %d\n", expected, object);
    return 0;
}
