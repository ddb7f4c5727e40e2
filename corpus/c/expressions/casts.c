/* Casts between integers, pointers and enums, and to void. */
#include <stdint.h>
#include <stdio.h>

enum e { A, B, C };
struct base { int kind; };
struct derived { struct base base; int extra; };

int main(void) {
    int i = -1;
    printf("%u %lu %d\n", (unsigned)i, (unsigned long)i, (unsigned short)i);
    printf("%d %d\n", (signed char)0x80, (int)(unsigned char)0x180);
    printf("%ld %ld\n", (long)(int)0x80000000u, (long)0x80000000u);
    printf("%d %d\n", (enum e)2 == C, (int)(enum e)B);
    printf("%d %d %d\n", (_Bool)0x100, (_Bool)-1, (int)(_Bool)0);
    struct derived d = { { 1 }, 2 };
    struct base *b = (struct base *)&d;
    printf("%d %d\n", b->kind, ((struct derived *)b)->extra);
    void *v = &i;
    printf("%d %d\n", *(int *)v, *(unsigned char *)v);
    uintptr_t n = (uintptr_t)v;
    printf("%d\n", (int *)n == &i);
    (void)i;
    (void)(i = 5, 3);
    printf("%d\n", i);
    char c = (char)(short)(long)321;
    printf("%d\n", c);
    printf("%d\n", (char)1 << 9);
    printf("%ld\n", (long)1 << 40);
    printf("%d\n", (int)sizeof(long)-(int)1);
    const int fixed = 3;
    *(int *)&i = fixed;
    printf("%d\n", i);
    int (*p)[2] = (int (*)[2])(int[]){ 1, 2, 3, 4 };
    printf("%d\n", p[1][0]);
    return 0;
}
