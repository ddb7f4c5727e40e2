/* What is sequenced: commas, && and ||, ?:, full expressions, calls, initialisers in order. */
#include <stdio.h>

static int n;
static int next(void) { return ++n; }
static int note(const char *s, int v) { printf("%s ", s); return v; }
static int *slot(int *a, int i) { printf("slot%d ", i); return &a[i]; }

int main(void) {
    int a = next(), b = next(), c = next();
    printf("%d %d %d\n", a, b, c);
    int x = (next(), next(), next());
    printf("%d\n", x);
    int y = note("left", 0) || note("right", 1) ? note("yes", 5) : note("no", 6);
    printf("%d\n", y);
    int v[3] = { 1, 2, 3 };
    *slot(v, 1) += 10;
    printf("%d\n", v[1]);
    (*slot(v, 2))++;
    printf("%d\n", v[2]);
    int i = 0;
    i++, i++, i += i;
    printf("%d\n", i);
    while (i-- && note("loop", i)) {}
    printf("%d\n", i);
    for (int j = note("init", 0); note("test", j < 2); note("step", j++)) note("body", 0);
    printf("\n");
    printf("%d\n", note("a", 1) && note("b", 0) && note("c", 1));
    do note("once", 0); while (note("cond", 0));
    printf("\n");
    switch (note("switch", 2)) { case 2: note("two", 0); }
    printf("\n");
    return 0;
}
