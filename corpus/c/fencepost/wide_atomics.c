/* An atomic struct of 16 bytes, a pointer with a count, is one access. (gcc would call a library.) */
#include <stdatomic.h>
#include <stdio.h>

struct counted {
    int *pointer;
    unsigned long count;
};

int main(void) {
    int target = 9;
    _Atomic(struct counted) top;
    atomic_init(&top, ((struct counted){ &target, 1 }));
    struct counted seen = atomic_load(&top);
    struct counted next = { seen.pointer, seen.count + 1 };
    printf("%d\n", atomic_compare_exchange_strong(&top, &seen, next));
    seen = atomic_load_explicit(&top, memory_order_acquire);
    printf("%d %lu %zu\n", *seen.pointer, seen.count, sizeof top);
    return 0;
}
