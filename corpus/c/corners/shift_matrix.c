/* Every shift count on every width, both directions. */
#include <stdint.h>
#include <stdio.h>

#define MIX(h, v) ((h) = ((h) ^ (uint64_t)(v)) * 1099511628211ul)

int main(void) {
    uint64_t h = 14695981039346656037ul;
    for (int n = 0; n < 8; n++) {
        MIX(h, (uint8_t)(0xb5 << n));
        MIX(h, (uint8_t)0xb5 >> n);
        MIX(h, (int8_t)0xb5 >> n);
    }
    for (int n = 0; n < 16; n++) {
        MIX(h, (uint16_t)(0xb5c3 << (n & 14)));
        MIX(h, (int16_t)0xb5c3 >> n);
    }
    for (int n = 0; n < 32; n++) {
        MIX(h, 0xb5c3d2e1u << n);
        MIX(h, 0xb5c3d2e1u >> n);
        MIX(h, (int32_t)0xb5c3d2e1u >> n);
    }
    for (unsigned char n = 0; n < 64; n++) {
        MIX(h, 0xb5c3d2e1f0a59687ul << n);
        MIX(h, 0xb5c3d2e1f0a59687ul >> n);
        MIX(h, (int64_t)0xb5c3d2e1f0a59687ul >> n);
    }
    for (long n = 0; n < 128; n++) {
        unsigned __int128 w = (unsigned __int128)0xb5c3d2e1f0a59687ul << 64 | 0x1122334455667788ul;
        MIX(h, (w << n) >> 64);
        MIX(h, w << n);
        MIX(h, w >> n);
        MIX(h, (__int128)w >> n);
    }
    printf("%016lx\n", h);
    return 0;
}
