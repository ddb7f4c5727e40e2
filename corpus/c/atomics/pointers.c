/* Atomic pointers move by elements. */
#include <stdatomic.h>
#include <stdio.h>

int main(void) {
    int numbers[6] = { 0, 10, 20, 30, 40, 50 };
    _Atomic(int *) at = numbers;
    at += 3;
    printf("%d ", *atomic_load(&at));
    at -= 1;
    printf("%d\n", *at);
    at += 2;
    printf("%d ", *at);
    at++;
    printf("%d ", *at--);
    printf("%d\n", *at);
    int *expected = &numbers[4];
    printf("%d ", atomic_compare_exchange_strong(&at, &expected, numbers));
    printf("%td\n", atomic_load(&at) - numbers);
    return 0;
}
