/* Initialisers with and without inner braces; the rest is zero. */
#include <stdio.h>

struct in { int a, b; };
struct out { struct in first; int middle[2]; struct in last; };

int main(void) {
    struct out flat = { 1, 2, 3, 4, 5, 6 };
    struct out braced = { { 1 }, { 3 }, { 5 } };
    struct out mixed = { 1, 2, { 3 }, 5 };
    struct out list[2] = { 1, 2, 3, 4, 5, 6, 7 };
    printf("%d %d %d %d %d %d\n", flat.first.a, flat.first.b, flat.middle[0], flat.middle[1], flat.last.a, flat.last.b);
    printf("%d %d %d %d %d %d\n", braced.first.a, braced.first.b, braced.middle[0], braced.middle[1], braced.last.a, braced.last.b);
    printf("%d %d %d %d %d %d\n", mixed.first.a, mixed.first.b, mixed.middle[0], mixed.middle[1], mixed.last.a, mixed.last.b);
    printf("%d %d %d\n", list[0].last.b, list[1].first.a, list[1].first.b);
    int m[2][3] = { 1, 2, 3, 4 };
    printf("%d %d %d\n", m[1][0], m[1][1], m[0][2]);
    int scalar = { 7 };
    int *pointer = { &scalar };
    printf("%d\n", *pointer);
    struct in copy[2] = { { 8, 9 }, flat.last };
    printf("%d %d\n", copy[1].a, copy[1].b);
    struct out nested = { flat.first, { 10, 11 }, { scalar, *pointer + 1 } };
    printf("%d %d %d\n", nested.first.b, nested.middle[1], nested.last.b);
    char s[2][4] = { "abc", "d" };
    char t[] = { "braced" };
    printf("%s %s %s %zu\n", s[0], s[1], t, sizeof t);
    union { int i; char c[8]; } u = { 0x41424344 };
    printf("%c\n", u.c[0]);
    struct { int n; union { long l; int i; } u; int tail; } w = { 1, 2, 3 };
    printf("%d %ld %d\n", w.n, w.u.l, w.tail);
    struct in trailing[] = { { 1, 2, }, { 3, }, };
    printf("%zu %d\n", sizeof trailing / sizeof *trailing, trailing[1].b);
    return 0;
}
