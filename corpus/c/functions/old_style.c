// Definitions in the style of 1978.
#include <stdio.h>

int add(a, b)
int a, b;
{
    return a + b;
}

static long sum(values, count)
    long *values;
{
    long total = 0;
    for (int i = 0; i < count; i++) total += values[i];
    return total;
}

apply(function, value)
    int (*function)(int, int);
{
    return function(value, value);
}

int main() {
    long values[] = { 1, 2, 3 };
    printf("%d %ld %d\n", add(1, 2), sum(values, 3), apply(add, 4));
    return 0;
}
