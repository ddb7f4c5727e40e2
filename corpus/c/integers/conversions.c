/* Conversions between integer types: truncation, sign and zero extension. */
#include <stdint.h>
#include <stdio.h>

int main(void) {
    long values[] = { 0, 1, -1, 127, 128, 255, 256, -128, -129, 32767, 32768, 65535, 65536,
        2147483647L, 2147483648L, 4294967295L, 4294967296L, -2147483648L, 0x123456789abcdef0L };
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        long v = values[i];
        printf("%ld: %d %d %d %d %d %u %d\n", v, (int8_t)v, (uint8_t)v, (int16_t)v, (uint16_t)v,
            (int32_t)v, (uint32_t)v, (_Bool)v);
    }
    signed char c = -5;
    printf("%u %lu %d\n", (unsigned)c, (unsigned long)c, (unsigned short)c);
    unsigned char u = 250;
    printf("%d %ld %d\n", (int)u, (long)u, (signed char)u);
    unsigned big = 0xfffffff0u;
    printf("%ld %ld\n", (long)big, (long)(int)big);
    int narrow = 0x12345678;
    short s = narrow;
    char h = narrow >> 8;
    printf("%x %x\n", s, h);
    return 0;
}
