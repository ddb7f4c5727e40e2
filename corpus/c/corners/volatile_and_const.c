/* Qualified pointers through several levels, and volatile accesses of all sizes. */
#include <stdint.h>
#include <stdio.h>

static volatile uint8_t v8 = 1;
static volatile uint16_t v16 = 2;
static volatile uint32_t v32 = 3;
static volatile uint64_t v64 = 4;
static volatile struct { int a; volatile int b[2]; } vs = { 1, { 2, 3 } };
static int *volatile vp;
static const volatile int status = 6;

static int read_twice(volatile int *p) { return *p + *p; }

int main(void) {
    v8 = v8 + 255;
    v16 <<= 12;
    v32 = -v32;
    v64 = ~v64;
    printf("%d %d %u %lu\n", v8, v16, v32, v64);
    vs.a++;
    vs.b[1] *= vs.a;
    printf("%d %d %d\n", vs.a, vs.b[0], vs.b[1]);
    int x = 5;
    vp = &x;
    *vp = 8;
    printf("%d %d\n", *vp, read_twice(&x));
    const int *const *const cpp = (const int *const[]){ &x, 0 };
    printf("%d %d\n", **cpp, cpp[1] == 0);
    volatile int local = 3;
    for (volatile int i = 0; i < 3; i++) local += i;
    printf("%d %d\n", local, status);
    volatile char text[4] = "abc";
    text[1] = 'X';
    printf("%c%c%c\n", text[0], text[1], text[2]);
    return 0;
}
