// Functions and variables without a type, which are `int`.
#include <stdio.h>

static counter;
const limit = 3;

next() { return ++counter; }

main() {
    register last = 0;
    while (last < limit) last = next();
    printf("%d\n", last);
    return 0;
}
