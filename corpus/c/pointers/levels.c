/* Pointers to pointers, and arrays of them. */
#include <stdio.h>

static void redirect(int **where, int *to) {
    *where = to;
}

int main(void) {
    int a = 1, b = 2;
    int *p = &a;
    int **pp = &p;
    int ***ppp = &pp;
    printf("%d %d %d\n", *p, **pp, ***ppp);
    **ppp = &b;
    printf("%d\n", *p);
    ***ppp = 20;
    printf("%d %d\n", a, b);
    redirect(&p, &a);
    *p = 10;
    printf("%d %d\n", a, b);
    int *array[3] = { &a, &b, &a };
    int **walk = array;
    *walk[1] += 5;
    ++**walk;
    printf("%d %d\n", a, b);
    int (*whole)[3] = &(int[3]){ 7, 8, 9 };
    printf("%d %zu %zu\n", (*whole)[1], sizeof *whole, sizeof array);
    const char *words[] = { "zero", "one", "two", 0 };
    for (const char **w = words; *w; w++) printf("%s ", *w);
    printf("\n");
    printf("%d %d\n", *&a == a, &*p == p);
    return 0;
}
