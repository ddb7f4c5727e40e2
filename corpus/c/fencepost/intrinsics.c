/* Fencepost's own intrinsics in a program with one execution. */
#include <fencepost.h>
#include <stdio.h>

int main(void) {
    int value = fp_choose(4, 4);
    fp_assume(value == 4);
    fp_assert(value > 3);
    fp_observe("value", value);
    fp_operation_begin("double", value);
    fp_commit("double");
    value *= 2;
    fp_operation_end(value);
    fp_operation_begin("nothing");
    fp_operation_end();
    fp_fence("full");
    fp_fence("lwsync");
    fp_yield();
    fp_atomic_begin();
    value++;
    fp_atomic_end();
    fp_atomic {
        value++;
    }
    printf("%d\n", value);
    return 0;
}
