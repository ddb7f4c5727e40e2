/* Pointer differences and arrays of elements whose size is no power of two. */
#include <stddef.h>
#include <stdio.h>

struct three { char c[3]; };
struct twelve { int a, b, c; };
struct odd { short s; char c[5]; };

int main(void) {
    struct three t[7];
    struct twelve w[5];
    struct odd o[4];
    printf("%td %td\n", &t[6] - &t[1], &t[0] - &t[5]);
    printf("%td %td\n", &w[4] - w, w - &w[3]);
    printf("%td %zu\n", &o[3] - &o[1], sizeof o[0]);
    for (int i = 0; i < 5; i++) w[i] = (struct twelve){ i, i * 2, i * 3 };
    struct twelve *p = &w[4];
    p -= 2;
    printf("%d %d %d\n", p->b, p[1].c, p[-2].c);
    printf("%d\n", (*(p + 1)).a);
    for (struct three *q = t; q < t + 7; q++) q->c[1] = (char)(q - t);
    printf("%d %d\n", t[3].c[1], t[6].c[1]);
    char (*rows)[5] = (char[3][5]){ "abcd", "efgh", "ijkl" };
    printf("%s %td %c\n", rows[1], (rows + 2) - rows, *(rows[2] + 1));
    size_t n = (size_t)(&w[4].c - &w[0].a);
    printf("%zu\n", n);
    return 0;
}
