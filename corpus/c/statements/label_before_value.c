/* The last statement of a statement expression is its value, with a label before it, too; functions
   that are declared without a type. */
#include <stdio.h>

#define clamped(x, most)               \
    ({                                 \
        __label__ done;                \
        int result = (most);           \
        if ((x) > (most)) goto done;   \
        result = (x);                  \
    done:                              \
        result;                        \
    })

static old();
static old() { return 5; }

int main(void) {
    printf("%d %d\n", clamped(3, 7), clamped(9, 7));
    printf("%d\n", old());
    return 0;
}
