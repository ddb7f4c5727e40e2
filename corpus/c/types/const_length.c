// Arrays whose length is a `const` variable with a constant value.
#include <stdio.h>

static const int COUNT = 3;
static const unsigned char zero;

static int sum(void) {
    const int more = COUNT + 1;
    int values[more];
    int total = 0;
    for (int i = 0; i < more; i++) values[i] = i;
    for (int i = 0; i < more; i++) total += values[i];
    return total + (int)sizeof values;
}

int main(void) {
    long pairs[COUNT][2];
    pairs[2][1] = sum();
    printf("%ld %d %d\n", pairs[2][1], (int)sizeof pairs, zero);
    return 0;
}
