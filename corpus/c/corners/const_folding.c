/* The same expressions, folded at compile time and computed at run time. */
#include <limits.h>
#include <stdio.h>

#define CHECK(expression, ...) do { \
    static const long long folded = (expression); \
    __VA_ARGS__; \
    long long computed = (expression); \
    printf("%lld%s\n", folded, folded == computed ? "" : " differs"); \
} while (0)

int main(void) {
    CHECK(-7 / 2 + -7 % 2);
    CHECK((unsigned char)300 + (signed char)200);
    CHECK(-1 > 0u ? 1 : 2);
    CHECK(1u - 2);
    CHECK((int)0x80000000 >> 4);
    CHECK(0x80000000 >> 4);
    CHECK(-1L >> 63 & 0xff);
    CHECK((short)-32768 - (short)1);
    CHECK((char)-1 == 0xff);
    CHECK(!5 + !0 * 2 - ~3);
    CHECK(5 ? 1 ? 2 : 3 : 4);
    CHECK((_Bool)256 + (_Bool)0);
    CHECK(sizeof(int) - 5 > 0);
    CHECK(4294967295u * 4294967295u);
    CHECK(LONG_MIN / 2 % 1000);
    CHECK((long)INT_MAX + 1);
    CHECK((unsigned short)-1 * 2);
    CHECK('\377' + '\x7f');
    CHECK(1 << 30 | 1 << 3);
    CHECK((int)(unsigned)-5 / 2);
    CHECK((unsigned)-5 / 2);
    CHECK(0 && 1 / 1 || 1);
    CHECK((__int128)1 << 70 >> 68);
    CHECK((unsigned long)-1 % 10);
    CHECK(3 == 3 == 1);
    return 0;
}
