// CBMC's labels that start threads.
#include <stdio.h>

int ready, value;

static void producer(int what) {
    value = what;
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
}

int main(void) {
    __CPROVER_ASYNC_1: producer(7);
    while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) {
    }
    __CPROVER_assert(value == 7, "the value arrives");
    printf("%d\n", value);
    return 0;
}
