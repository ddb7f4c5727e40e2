/* Operators on _Atomic objects read, compute and write in one step, and yield the new value. */
#include <stdatomic.h>
#include <stdio.h>

struct counters {
    _Atomic int plain;
    _Atomic unsigned char narrow;
};

int main(void) {
    _Atomic int a = 3;
    struct counters all = { 7, 255 };
    printf("%d ", a++);
    printf("%d ", ++a);
    printf("%d ", a--);
    printf("%d\n", --a);
    a += 10;
    a -= 1;
    a *= 3;
    a /= 2;
    a %= 11;
    a <<= 4;
    a >>= 1;
    a |= 65;
    a &= 0x7b;
    a ^= 3;
    printf("%d\n", a);
    printf("%d ", all.narrow++);
    printf("%d\n", all.narrow);
    all.plain = all.narrow = 200;
    printf("%d %d\n", all.plain, all.narrow += 100);
    return 0;
}
