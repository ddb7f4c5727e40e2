/* Unsigned arithmetic is modulo two to the width. */
#include <stdint.h>
#include <stdio.h>

int main(void) {
    unsigned u = 0;
    printf("%u %u %u\n", u - 1, u - 1 + 2, (u - 1) * (u - 1));
    unsigned long l = 0;
    printf("%lu %lu\n", l - 1, (l - 1) * 3);
    uint8_t b = 0;
    b--;
    printf("%u\n", b);
    b += 3;
    printf("%u\n", b);
    uint16_t s = 0x8000;
    s = s * 2u;
    printf("%u\n", s);
    s = 40000;
    s = (unsigned)s * s;
    printf("%u\n", s);
    unsigned product = 0xdeadbeefu * 0xcafebabeu;
    printf("%x\n", product);
    unsigned long wide = (unsigned long)0xdeadbeefu * 0xcafebabeu;
    printf("%lx\n", wide);
    unsigned hash = 2166136261u;
    for (const char *p = "fencepost"; *p; p++) hash = (hash ^ (unsigned char)*p) * 16777619u;
    printf("%08x\n", hash);
    return 0;
}
