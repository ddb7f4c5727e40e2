/* Pointer arithmetic scales by the size of what is pointed at. */
#include <stddef.h>
#include <stdio.h>

struct big {
    char bytes[24];
};

int main(void) {
    int a[10];
    for (int i = 0; i < 10; i++) a[i] = i * i;
    int *p = a;
    p += 3;
    printf("%d %d %d\n", *p, p[1], p[-1]);
    printf("%d %d\n", *(p + 2), *(2 + p));
    printf("%d %d\n", 4[a], (&a[7])[-2]);
    int *q = &a[9];
    printf("%td %td\n", q - p, p - q);
    q -= 2;
    printf("%d\n", *q--);
    printf("%d\n", *q);
    struct big blocks[4];
    struct big *b = blocks + 3;
    printf("%td %td\n", b - blocks, (char *)b - (char *)blocks);
    char *c = (char *)a;
    printf("%d\n", *(int *)(c + 5 * sizeof(int)));
    int *end = a + 10;
    int sum = 0;
    for (int *r = a; r != end; r++) sum += *r;
    printf("%d\n", sum);
    void *v = a;
    v += 8;
    printf("%d\n", *(int *)v);
    printf("%d %d\n", p > a, end > p);
    printf("%zu\n", (size_t)((char *)&a[4] - (char *)a));
    long n = -2;
    printf("%d\n", p[n]);
    unsigned char step = 1;
    printf("%d\n", *(p + step));
    return 0;
}
