/* Declarations that take a second look. */
#include <stdio.h>

static int five(void) { return 5; }
static int id(int x) { return x; }
static int (*get(void))(void) { return five; }
static int (*(*get_get(void))(void))(void) { return get; }
static int array[3] = { 1, 2, 3 };
static int (*rows(void))[3] { return &array; }
static int sum(int n, int a[const static 3], int f(int)) {
    int total = 0;
    for (int i = 0; i < n; i++) total += f(a[i]);
    return total;
}

int main(void) {
    int *a[3], (*b)[3], (*c)(void), (*d[2])(int);
    int (*(*e)[2])(int) = &d;
    int x = 4, *p = &x, **q = &p;
    for (int i = 0; i < 3; i++) a[i] = &array[i];
    b = &array;
    c = five;
    d[0] = d[1] = id;
    printf("%d %d %d %d %d\n", *a[1], (*b)[2], c(), d[1](8), (*(*e)[0])(9));
    printf("%d %d %d\n", get()(), get_get()()(), (*rows())[1]);
    printf("%d %d\n", sum(3, array, id), **q);
    unsigned long long int long_name = 1;
    long unsigned odd = 2;
    int short unsigned order = 3;
    char signed sc = -1;
    printf("%llu %lu %d %d\n", long_name, odd, order, sc);
    const char *const *names = (const char *const[]){ "a", "b" };
    printf("%s\n", names[1]);
    void (*nothing)(void) = (void (*)(void))five;
    printf("%d\n", ((int (*)(void))nothing)());
    int ((parenthesised)) = 6;
    printf("%d %zu %zu\n", parenthesised, sizeof(int[3][2]), sizeof(int (*)[3]));
    return 0;
}
