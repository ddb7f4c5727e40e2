// A failed assumption discards the run.
#include <fencepost.h>

int main(void) {
    int x = 3;
    fp_assume(x < 3);
    return 0;
}
