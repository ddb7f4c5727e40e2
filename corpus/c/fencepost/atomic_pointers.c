/* fetch_add on an atomic pointer moves by elements, as C11 says (gcc moves by bytes). */
#include <stdatomic.h>
#include <stdio.h>

int main(void) {
    int numbers[6] = { 0, 10, 20, 30, 40, 50 };
    _Atomic(int *) at = numbers;
    printf("%d ", *atomic_fetch_add(&at, 3));
    printf("%d ", *atomic_load(&at));
    printf("%d ", *atomic_fetch_sub(&at, 1));
    printf("%d\n", *at);
    return 0;
}
