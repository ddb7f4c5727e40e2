/* Long mixed expressions whose value depends on every conversion. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int8_t a = -7;
    uint8_t b = 250;
    int16_t c = -30000;
    uint16_t d = 60000;
    int32_t e = -2000000000;
    uint32_t f = 4000000000u;
    int64_t g = -9000000000000000000;
    uint64_t h = 18000000000000000000u;
    printf("%ld\n", (long)(a * b + c / a - d % 7));
    printf("%u\n", (a + f) * b - c);
    printf("%ld\n", e + (int64_t)f - g / 3);
    printf("%lu\n", h + a * (uint64_t)b - c);
    printf("%d\n", (uint8_t)(b + a) >> 1 ^ (int8_t)(d >> 3));
    printf("%ld\n", (long)((uint32_t)e >> 3) - (e >> 3));
    printf("%d %d\n", a < b, (unsigned)a < b);
    printf("%d %d\n", e < f, (int64_t)e < f);
    printf("%d\n", (int)((g >> 60) + (int64_t)(h >> 60)));
    printf("%ld\n", (long)(int8_t)(int16_t)(e ^ c) * -b);
    printf("%lu\n", (uint64_t)(int32_t)f & (uint16_t)a);
    printf("%d\n", -(-a) - -b + ~c - !d);
    printf("%ld\n", (a ?: 1) * (g % 1000003) + (h % 1000003));
    printf("%u\n", (f << (b & 7)) | (f >> (32 - (b & 7))));
    printf("%d\n", (c * c) % d + (int)(d * 2u));
    printf("%d\n", INT_MIN + INT_MAX - -1 - 1);
    printf("%ld\n", (long)(uint32_t)(a - b) + (long)(a - b));
    printf("%d\n", (int8_t)(a -= b));
    printf("%d\n", (uint8_t)(b += a));
    printf("%d %d\n", a, b);
    printf("%ld\n", 1L << (a & 31) >> 3);
    return 0;
}
