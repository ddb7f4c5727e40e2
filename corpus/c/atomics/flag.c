/* atomic_flag: test-and-set and clear. */
#include <stdatomic.h>
#include <stdio.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void) {
    printf("%d\n", atomic_flag_test_and_set(&flag));
    printf("%d\n", atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
    atomic_flag_clear_explicit(&flag, memory_order_release);
    printf("%d\n", atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    printf("%d\n", atomic_flag_test_and_set(&flag));
    return 0;
}
