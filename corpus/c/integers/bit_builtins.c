/* clz, ctz, popcount, parity, ffs, bswap. */
#include <stdio.h>

int main(void) {
    unsigned values[] = { 1, 2, 3, 0x80, 0xff, 0x8000, 0x12345678, 0x80000000, 0xffffffff };
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        unsigned v = values[i];
        unsigned long w = (unsigned long)v << 20 | v;
        printf("%08x: %d %d %d %d %d", v, __builtin_clz(v), __builtin_ctz(v), __builtin_popcount(v),
            __builtin_parity(v), __builtin_ffs((int)v));
        printf(" | %d %d %d %d %d", __builtin_clzl(w), __builtin_ctzll(w), __builtin_popcountl(w),
            __builtin_parityll(w), __builtin_ffsl((long)w));
        printf(" | %04x %08x %016lx\n", __builtin_bswap16((unsigned short)v), __builtin_bswap32(v),
            __builtin_bswap64(w));
    }
    printf("%d %d\n", __builtin_ffs(0), __builtin_popcountll(~0ull));
    return 0;
}
