/* Strong and weak compare-exchange; a failure writes the value that was found. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static int increment_by_loop(atomic_int *a, int by) {
    int seen = atomic_load(a);
    while (!atomic_compare_exchange_weak(a, &seen, seen + by)) {}
    return seen;
}

int main(void) {
    atomic_int a = 10;
    int expected = 10;
    bool ok = atomic_compare_exchange_strong(&a, &expected, 20);
    printf("%d %d %d\n", ok, expected, a);
    ok = atomic_compare_exchange_strong(&a, &expected, 30);
    printf("%d %d %d\n", ok, expected, a);
    ok = atomic_compare_exchange_strong(&a, &expected, 30);
    printf("%d %d %d\n", ok, expected, a);
    printf("%d ", increment_by_loop(&a, 5));
    printf("%d\n", a);
    atomic_uchar c = 255;
    unsigned char e = 255;
    ok = atomic_compare_exchange_strong(&c, &e, 0);
    printf("%d %d\n", ok, c);
    int x = 1, y = 2;
    int *_Atomic p = &x;
    int *want = &x;
    ok = atomic_compare_exchange_strong(&p, &want, &y);
    printf("%d %d\n", ok, *p);
    want = &x;
    ok = atomic_compare_exchange_strong(&p, &want, &x);
    printf("%d %d\n", ok, want == &y);
    atomic_bool b = false;
    bool f = false;
    ok = atomic_compare_exchange_strong(&b, &f, true);
    printf("%d %d\n", ok, b);
    return 0;
}
