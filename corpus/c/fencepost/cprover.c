/* CBMC's functions need no declaration. */
#include <stdio.h>

int main(void) {
    int value = 3;
    __CPROVER_assume(value > 2);
    __CPROVER_atomic_begin();
    value *= 2;
    __CPROVER_atomic_end();
    __CPROVER_fence("WWfence", "RRfence", "RWfence", "WRfence");
    __CPROVER_fence("RRfence", "RRcumul");
    __CPROVER_assert(value == 6, "doubled");
    printf("%d\n", value);
    return 0;
}
