/* _Static_assert at every place it may stand. */
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

_Static_assert(sizeof(int) == 4, "int has four bytes");
static_assert(CHAR_BIT == 8, "bytes have eight bits");

struct s {
    int a;
    _Static_assert(sizeof(long) == 8, "LP64");
    char b;
};

_Static_assert(offsetof(struct s, b) == 4, "no gap");
_Static_assert((char)-1 < 0, "char is signed");
_Static_assert(-1 >> 1 == -1, "arithmetic shift");
_Static_assert(sizeof("abc") == 4, "with the zero");
_Static_assert(_Alignof(struct s) == _Alignof(int), "");

int main(void) {
    _Static_assert(1, "in a block");
    for (int i = 0; i < 1; i++) {
        static_assert(sizeof i == 4, "in a loop");
    }
    assert(sizeof(struct s) == 8);
    printf("fine\n");
    return 0;
}
