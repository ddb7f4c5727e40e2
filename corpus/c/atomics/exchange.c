/* An exchange gives the old value, also of pointers and of bool. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

int main(void) {
    int a = 1, b = 2;
    _Atomic(int *) pointer = &a;
    atomic_bool flag = false;
    atomic_char letter = 'x';
    int *old = atomic_exchange(&pointer, &b);
    printf("%d %d\n", *old, *atomic_load(&pointer));
    printf("%d ", atomic_exchange_explicit(&flag, true, memory_order_acquire));
    printf("%d\n", atomic_exchange(&flag, 7));
    printf("%d\n", atomic_load(&flag));
    printf("%c", atomic_exchange(&letter, 'y'));
    printf("%c\n", letter);
    return 0;
}
