/* Arguments are converted to the parameters' types; parameters are ordinary variables. */
#include <stdio.h>

static int modify(int n, char c, int a[3]) {
    n += 10;
    c = 'x';
    a[0] += n;
    return n + c;
}

static long mixed(char a, short b, int c, long d, unsigned char e, unsigned short f, unsigned g, _Bool h) {
    printf("%d %d %d %ld %d %d %u %d\n", a, b, c, d, e, f, g, h);
    return a + b + c + d + e + f + g + h;
}

static int count(int n) {
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

static int *largest(int *a, int *b) { return *a > *b ? a : b; }
static int address(int n) { int *p = &n; *p *= 2; return n; }
static void none(void) {}
static const char *text(void) { return __func__; }

int main(void) {
    int n = 1, array[3] = { 1, 2, 3 };
    char c = 'a';
    printf("%d ", modify(n, c, array));
    printf("%d %c %d\n", n, c, array[0]);
    printf("%ld\n", mixed(511, 70000, 1L << 33, -1, 511, 70000, -1, 4));
    printf("%d %d\n", count(27), address(21));
    *largest(&array[1], &array[2]) = 0;
    printf("%d %d\n", array[1], array[2]);
    none();
    printf("%s %s %s\n", text(), __func__, __FUNCTION__);
    return 0;
}
