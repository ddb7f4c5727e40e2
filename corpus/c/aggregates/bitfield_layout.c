/* Where bit-fields go: sizes, straddling, zero width, mixed types. */
#include <stdio.h>
#include <string.h>

struct a { unsigned a : 3, b : 5, c : 8; };
struct b { unsigned a : 30, b : 4; };
struct c { unsigned char a : 5, b : 5; };
struct d { unsigned a : 3; unsigned : 0; unsigned b : 3; };
struct e { unsigned long a : 40, b : 30; };
struct f { char c; unsigned a : 12; char d; };
struct g { short a : 9; int b : 9; char c : 4; };
struct h { unsigned a : 4; unsigned : 10; unsigned b : 4; };
struct i { char c; int : 0; char d; };
struct j { long a : 33; int b; };
struct k { _Bool a : 1; unsigned b : 7; int c : 24; };
struct l { unsigned long long a : 60; unsigned short b : 9; };
struct __attribute__((packed)) m { unsigned a : 3; unsigned b : 30; unsigned char c; };
struct n { int : 5; };
struct o { unsigned char a : 8; unsigned short b : 16; unsigned c : 32; unsigned long d : 64; };
union p { unsigned a : 5; unsigned char b; };

#define SHOW(tag, ...) do { \
    tag value; \
    memset(&value, 0, sizeof value); \
    __VA_ARGS__; \
    unsigned char bytes[sizeof value]; \
    memcpy(bytes, &value, sizeof value); \
    printf("%-9s %2zu %2zu:", #tag, sizeof(tag), _Alignof(tag)); \
    for (unsigned at = 0; at < sizeof value; at++) printf(" %02x", bytes[at]); \
    printf("\n"); \
} while (0)

int main(void) {
    SHOW(struct a, value.a = 5, value.b = 17, value.c = 200);
    SHOW(struct b, value.a = 0x2aaaaaaa, value.b = 9);
    SHOW(struct c, value.a = 21, value.b = 27);
    SHOW(struct d, value.a = 7, value.b = 5);
    SHOW(struct e, value.a = 0x123456789a, value.b = 0x2badcafe);
    SHOW(struct f, value.c = 1, value.a = 0xabc, value.d = 2);
    SHOW(struct g, value.a = -3, value.b = 100, value.c = -1);
    SHOW(struct h, value.a = 15, value.b = 15);
    SHOW(struct i, value.c = 1, value.d = 2);
    SHOW(struct j, value.a = -1, value.b = 0x1234);
    SHOW(struct k, value.a = 1, value.b = 0x55, value.c = -2);
    SHOW(struct l, value.a = 0x123456789abcdef, value.b = 0x155);
    SHOW(struct m, value.a = 5, value.b = 0x2aaaaaaa, value.c = 0x77);
    SHOW(struct n, (void)0);
    SHOW(struct o, value.a = 1, value.b = 2, value.c = 3, value.d = 4);
    SHOW(union p, value.a = 21);
    return 0;
}
