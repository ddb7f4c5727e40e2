/* SHA-256 from its definition (FIPS 180-4); the constants are computed from the primes. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef unsigned __int128 u128;

static uint32_t k[64], start[8];

/* The first 32 bits of the fractional part of the square or cube root of n. */
static uint32_t fraction(unsigned n, int root) {
    uint64_t low = 0, high = (uint64_t)32 << 32;
    while (high - low > 1) {
        uint64_t mid = low + (high - low) / 2;
        u128 square = (u128)mid * mid;
        int larger = root == 2 ? square > (u128)n << 64 : square * mid > (u128)n << 96;
        if (larger) high = mid;
        else low = mid;
    }
    return (uint32_t)low;
}

static void prepare(void) {
    unsigned found = 0;
    for (unsigned n = 2; found < 64; n++) {
        unsigned d = 2;
        while (d * d <= n && n % d) d++;
        if (d * d <= n) continue;
        k[found] = fraction(n, 3);
        if (found < 8) start[found] = fraction(n, 2);
        found++;
    }
}

static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void block(uint32_t h[8], const uint8_t *p) {
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
        uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
        uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
        uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
}

static void digest(const char *text) {
    uint32_t h[8];
    uint8_t last[64] = { 0 };
    size_t n = strlen(text);
    memcpy(h, start, sizeof h);
    memcpy(last, text, n);
    last[n] = 0x80;
    for (int i = 0; i < 8; i++) last[63 - i] = (uint8_t)(n * 8 >> 8 * i);
    block(h, last);
    for (int i = 0; i < 8; i++) printf("%08x", h[i]);
    printf("\n");
}

int main(void) {
    prepare();
    digest("");
    digest("abc");
    digest("fencepost");
    return 0;
}
