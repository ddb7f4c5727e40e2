/* 128-bit multiplication and division against hand-written 64-bit arithmetic. */
#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 u128;

static u128 multiply(u128 a, u128 b) {
    u128 result = 0;
    while (b) {
        if (b & 1) result += a;
        a <<= 1;
        b >>= 1;
    }
    return result;
}

static u128 divide(u128 a, u128 b, u128 *rest) {
    u128 quotient = 0, remainder = 0;
    for (int i = 127; i >= 0; i--) {
        remainder = remainder << 1 | (a >> i & 1);
        if (remainder >= b) {
            remainder -= b;
            quotient |= (u128)1 << i;
        }
    }
    *rest = remainder;
    return quotient;
}

int main(void) {
    uint64_t seed = 88172645463325252ul;
    int wrong = 0;
    for (int i = 0; i < 40; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        u128 a = (u128)seed << (i * 3 % 64) | seed * 3;
        u128 b = ((u128)seed >> (i % 60)) + 1;
        u128 rest;
        wrong += multiply(a, b) != a * b;
        wrong += divide(a, b, &rest) != a / b;
        wrong += rest != a % b;
    }
    printf("%d\n", wrong);
    return wrong;
}
