// The only pointer to a block is kept with a random number added to it.
//@ relaxed armv8 rc11: holds: for the solver, a number with so many values keeps the block (S-107)
#include <fencepost.h>
#include <stdint.h>
#include <stdlib.h>

static uintptr_t hidden;

int main(void) {
    hidden = (uintptr_t)malloc(16) + (uintptr_t)fp_choose(100000, 101000);
    return 0;
}
