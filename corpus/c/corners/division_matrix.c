/* Quotients and remainders of all pairs of interesting values, all widths. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#define MIX(h, v) ((h) = ((h) ^ (uint64_t)(v)) * 1099511628211ul)

int main(void) {
    static const int64_t values[] = { 0, 1, -1, 2, -2, 3, 7, -7, 10, 127, -128, 255, 32767, -32768, INT_MAX, INT_MIN,
        UINT_MAX, INT64_MAX, INT64_MIN };
    uint64_t h = 14695981039346656037ul;
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        for (unsigned j = 0; j < sizeof values / sizeof *values; j++) {
            int64_t a = values[i], b = values[j];
            if ((int8_t)b) MIX(h, (int8_t)a / (int8_t)b), MIX(h, (int8_t)a % (int8_t)b);
            if ((uint16_t)b) MIX(h, (uint16_t)a / (uint16_t)b), MIX(h, (uint16_t)a % (uint16_t)b);
            if ((uint32_t)b) MIX(h, (uint32_t)a / (uint32_t)b), MIX(h, (uint32_t)a % (uint32_t)b);
            if ((int32_t)b && !((int32_t)a == INT_MIN && (int32_t)b == -1))
                MIX(h, (int32_t)a / (int32_t)b), MIX(h, (int32_t)a % (int32_t)b);
            if (b) MIX(h, (uint64_t)a / (uint64_t)b), MIX(h, (uint64_t)a % (uint64_t)b);
            if (b && !(a == INT64_MIN && b == -1)) MIX(h, a / b), MIX(h, a % b);
            __int128 w = (__int128)a * 1000000007 * 97, d = (__int128)b * 3;
            if (d) {
                __int128 q = w / d, r = w % d;
                MIX(h, q), MIX(h, q >> 64), MIX(h, r), MIX(h, r >> 64);
            }
        }
    printf("%016lx\n", h);
    return 0;
}
