/* qsort, bsearch and hand-written higher-order functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record { const char *name; int age; };

static int by_age(const void *a, const void *b) {
    const struct record *x = a, *y = b;
    return (x->age > y->age) - (x->age < y->age);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct record *)a)->name, ((const struct record *)b)->name);
}

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int fold(const int *a, int n, int start, int (*f)(int, int)) {
    for (int i = 0; i < n; i++) start = f(start, a[i]);
    return start;
}

static int plus(int a, int b) { return a + b; }
static int larger(int a, int b) { return a > b ? a : b; }

static void each(int *a, int n, void (*f)(int *, void *), void *with) {
    for (int i = 0; i < n; i++) f(&a[i], with);
}

static void scale(int *v, void *with) { *v *= *(int *)with; }

int main(void) {
    struct record r[] = { { "dora", 40 }, { "abel", 30 }, { "carl", 50 }, { "beth", 20 } };
    qsort(r, 4, sizeof *r, by_age);
    for (int i = 0; i < 4; i++) printf("%s ", r[i].name);
    printf("\n");
    qsort(r, 4, sizeof *r, by_name);
    for (int i = 0; i < 4; i++) printf("%s ", r[i].name);
    printf("\n");
    struct record key = { "carl", 0 };
    struct record *found = bsearch(&key, r, 4, sizeof *r, by_name);
    printf("%d\n", found ? found->age : -1);
    int a[] = { 9, -3, 7, 0, 7, 12, -8 };
    qsort(a, 7, sizeof *a, by_value);
    for (int i = 0; i < 7; i++) printf("%d ", a[i]);
    printf("\n");
    printf("%d %d\n", fold(a, 7, 0, plus), fold(a, 7, a[0], larger));
    int by = 3;
    each(a, 7, scale, &by);
    printf("%d %d\n", a[0], a[6]);
    return 0;
}
