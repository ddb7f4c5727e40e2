/* The null pointer in all its spellings. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int length(const char *s) {
    return s ? (int)strlen(s) : -1;
}

int main(void) {
    int *p = NULL;
    void *v = 0;
    char *c = (void *)0;
    int (*f)(void) = 0;
    struct { int *a; void (*b)(void); } s = { 0 };
    static int *zeroed;
    int *array[4] = { 0 };
    printf("%d %d %d %d\n", p == NULL, !v, c == 0, f == NULL);
    printf("%d %d %d %d\n", s.a == 0, s.b == 0, zeroed == 0, array[3] == 0);
    printf("%d %d\n", length(0), length("four"));
    int x = 4;
    p = &x;
    printf("%d %d %d\n", p != 0, p && *p == 4, !p || *p > 9);
    printf("%d\n", *(p ?: &(int){ 5 }));
    p = 0;
    printf("%d\n", *(p ?: &(int){ 5 }));
    printf("%d\n", (p ? *p : -2));
    if (!p) printf("null\n");
    while (p) p = 0;
    return 0;
}
