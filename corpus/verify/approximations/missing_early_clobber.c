// Inline assembly writes its result before it reads its operand, and does not say so (`=&r`).
//@ all: holds: operands share a register only if their constraints say so (S-017)
#include <assert.h>

static int next(int number) {
    int result;
    __asm__("movl $1, %0\n\taddl %1, %0" : "=r"(result) : "r"(number));
    return result;
}

int main(void) {
    assert(next(4) == 5);
    return 0;
}
