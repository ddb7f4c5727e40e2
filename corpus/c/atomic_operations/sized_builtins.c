/* The names of atomic builtins that say how many bytes they access; builtins of <string.h> beside a
   header that <string.h> includes. */
#include <stddef.h>
#include <stdio.h>

static int x;
static long y;
static char c;

int main(void) {
    printf("%d ", __sync_fetch_and_add_4(&x, 2));
    printf("%d ", __sync_bool_compare_and_swap_4(&x, 2, 5));
    printf("%ld ", __sync_val_compare_and_swap_8(&y, 0, 7));
    printf("%d\n", __sync_lock_test_and_set_1(&c, 3));
    __atomic_store_4(&x, 9, __ATOMIC_RELEASE);
    printf("%d ", __atomic_load_4(&x, __ATOMIC_ACQUIRE));
    printf("%ld ", __atomic_exchange_8(&y, 8, __ATOMIC_SEQ_CST));
    printf("%d\n", __atomic_fetch_add_4(&x, 1, __ATOMIC_RELAXED));
    printf("%d %ld %d %zu\n", x, y, c, (size_t)__builtin_strlen("four"));
    return 0;
}
