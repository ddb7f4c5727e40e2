/* Prototypes, parameters that decay, and calls through cast pointers. */
#include <stdio.h>

static int first(int a[], int n);
static int call(int (*f)(int *, int), int *a, int n);

static int first(int *a, int n) { return n ? a[0] : -1; }
static int last(int a[restrict 4], int n) { return a[n - 1]; }
static int call(int f(int a[], int n), int *a, int n) { return f(a, n); }
static int none() { return 3; }
static void nothing(void) { return; }
static int narrow(signed char c, unsigned short s, _Bool b) { return c + s + b; }
static unsigned char wrap(int x) { return x; }
static long widen(int x) { return x; }
static _Noreturn void never(void) { __builtin_trap(); }

int main(void) {
    int a[] = { 4, 5, 6, 7 };
    printf("%d %d %d\n", first(a, 4), last(a, 4), call(first, a + 1, 3));
    printf("%d\n", none());
    nothing();
    printf("%d\n", narrow(511, 65537, 8));
    printf("%d %ld\n", wrap(511), widen(-1));
    int (*f)() = none;
    printf("%d\n", f());
    if (a[0] == 0) never();
    (void)first(a, 1);
    return 0;
}
