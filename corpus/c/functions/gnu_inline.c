// A definition that is only for inlining may be followed by another one.
#include <stdio.h>

extern inline __attribute__((gnu_inline)) int square(int x) { return x * x; }
static __inline__ int twice(int x) { return 2 * x; }
int square(int x) { return x * x; }

int main(void) {
    printf("%d %d\n", square(3), twice(4));
    return 0;
}
