/* Operators on _Atomic objects. */
#include <stdatomic.h>
#include <stdio.h>

struct s { _Atomic int n; _Atomic(unsigned char) c; };

int main(void) {
    _Atomic int a = 5;
    printf("%d ", a++);
    printf("%d ", ++a);
    printf("%d ", a--);
    printf("%d\n", --a);
    printf("%d ", a += 10);
    printf("%d ", a -= 3);
    printf("%d ", a *= 2);
    printf("%d ", a /= 5);
    printf("%d ", a %= 3);
    printf("%d ", a |= 12);
    printf("%d ", a &= 10);
    printf("%d ", a ^= 6);
    printf("%d ", a <<= 3);
    printf("%d\n", a >>= 1);
    int b = a;
    a = b = a + 1;
    printf("%d %d\n", a, b);
    struct s s = { 1, 250 };
    s.n += s.n;
    s.c += 10;
    s.c++;
    printf("%d %d\n", s.n, s.c);
    struct s *p = &s;
    p->n = p->n * 5;
    printf("%d %d\n", p->n++, (int)sizeof(p->n));
    _Atomic _Bool flag = 0;
    flag = 7;
    flag ^= 1;
    printf("%d\n", flag);
    int array[4] = { 1, 2, 3, 4 };
    int *_Atomic q = array;
    q++;
    q += 2;
    printf("%d\n", *q);
    q--;
    printf("%d\n", *q--);
    printf("%d\n", *q);
    _Atomic unsigned u = 0;
    u--;
    printf("%u\n", u);
    _Atomic short h = 32767;
    h++;
    printf("%d\n", h);
    if (a) printf("true\n");
    a = a ? 3 : 4;
    printf("%d %d\n", a, -a);
    return 0;
}
