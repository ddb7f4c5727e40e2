/* atomic_flag, lock-free macros, and the typedefs. */
#include <stdatomic.h>
#include <stdio.h>

static atomic_flag static_flag = ATOMIC_FLAG_INIT;

int main(void) {
    atomic_flag flag = ATOMIC_FLAG_INIT;
    printf("%d ", atomic_flag_test_and_set(&flag));
    printf("%d ", atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    printf("%d ", atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
    atomic_flag_clear_explicit(&flag, memory_order_release);
    printf("%d\n", atomic_flag_test_and_set(&flag));
    printf("%d\n", atomic_flag_test_and_set(&static_flag));
    atomic_int i;
    atomic_init(&i, 3);
    printf("%d %d\n", atomic_is_lock_free(&i), i);
    printf("%d %d %d %d\n", ATOMIC_BOOL_LOCK_FREE, ATOMIC_INT_LOCK_FREE, ATOMIC_LONG_LOCK_FREE, ATOMIC_POINTER_LOCK_FREE);
    printf("%zu %zu %zu\n", sizeof(atomic_char), sizeof(atomic_ushort), sizeof(atomic_intptr_t));
    printf("%zu %zu %zu\n", sizeof(atomic_bool), sizeof(atomic_llong), sizeof(atomic_size_t));
    atomic_int_least32_t least = 4;
    atomic_uint_fast16_t fast = 5;
    atomic_ptrdiff_t diff = -6;
    atomic_intmax_t max = 7;
    printf("%d %lu %ld %ld\n", least, (unsigned long)fast, (long)diff, (long)max);
    return 0;
}
