/* Atomic structs of 8 bytes are read, written and compared as a whole. */
#include <stdatomic.h>
#include <stdio.h>

struct pair {
    int low;
    int high;
};

int main(void) {
    _Atomic(struct pair) pair = { 1, 2 };
    struct pair value = atomic_load(&pair);
    printf("%d %d\n", value.low, value.high);
    struct pair other = { 3, 4 };
    atomic_store(&pair, other);
    value = atomic_exchange(&pair, ((struct pair){ 5, 6 }));
    printf("%d %d\n", value.low, value.high);
    printf("%d\n", atomic_compare_exchange_strong(&pair, &value, other));
    printf("%d %d\n", value.low, value.high);
    printf("%d\n", atomic_compare_exchange_strong(&pair, &value, other));
    value = pair;
    printf("%d %d\n", value.low, value.high);
    return 0;
}
