/* Generators with known sequences: xorshift, LCG, Mersenne twister. */
#include <stdint.h>
#include <stdio.h>

static uint64_t xorshift(uint64_t *s) {
    uint64_t x = *s;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *s = x;
    return x * 0x2545f4914f6cdd1dul;
}

static uint32_t mt[624];
static int at = 624;

static void seed(uint32_t s) {
    mt[0] = s;
    for (int i = 1; i < 624; i++) mt[i] = 1812433253u * (mt[i - 1] ^ mt[i - 1] >> 30) + (uint32_t)i;
    at = 624;
}

static uint32_t twist(void) {
    if (at == 624) {
        for (int i = 0; i < 624; i++) {
            uint32_t y = (mt[i] & 0x80000000u) | (mt[(i + 1) % 624] & 0x7fffffffu);
            mt[i] = mt[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
        }
        at = 0;
    }
    uint32_t y = mt[at++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

int main(void) {
    uint64_t s = 42;
    for (int i = 0; i < 4; i++) printf("%016lx\n", xorshift(&s));
    seed(5489);
    for (int i = 0; i < 4; i++) printf("%u\n", twist());
    uint32_t l = 1;
    for (int i = 0; i < 4; i++) printf("%u ", (l = l * 1103515245u + 12345u) >> 16 & 0x7fff);
    printf("\n");
    return 0;
}
