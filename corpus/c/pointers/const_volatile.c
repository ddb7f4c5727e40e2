/* const and volatile in every position. */
#include <stdio.h>

static const int limit = 10;
static volatile int counter;
static const volatile int both = 3;
static int *const fixed = (int *)&counter;

static int total(const int *values, int count) {
    int sum = 0;
    while (count--) sum += *values++;
    return sum;
}

struct point {
    const int x;
    volatile int y;
};

int main(void) {
    const int array[] = { 1, 2, 3, 4 };
    const int *p = array;
    p++;
    int const *const q = p;
    printf("%d %d %d\n", *p, *q, total(array, 4));
    counter = 5;
    counter++;
    counter += counter;
    printf("%d %d %d\n", counter, *fixed, limit + both);
    volatile int *v = &counter;
    *v = *v + 1;
    printf("%d\n", counter);
    struct point pt = { 1, 2 };
    pt.y = pt.x + pt.y;
    printf("%d %d\n", pt.x, pt.y);
    int plain = 4;
    const int *view = &plain;
    plain = 6;
    printf("%d\n", *view);
    char *const text = (char[]){ 'o', 'k', 0 };
    text[0] = 'O';
    printf("%s\n", text);
    int x = (const int)plain + (volatile int)plain;
    printf("%d\n", x);
    return 0;
}
