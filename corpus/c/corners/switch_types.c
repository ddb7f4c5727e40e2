/* switch on every type, with negative ranges, enums, chars and wide values. */
#include <stdio.h>

enum e { MINUS = -2, PLUS = 2 };

static int on_char(char c) {
    switch (c) {
    case 'a' ... 'f': return c - 'a' + 10;
    case '0' ... '9': return c - '0';
    case '\xff': return 99;
    default: return -1;
    }
}

static int on_long(long v) {
    switch (v) {
    case -5000000000 ... -4999999990: return 1;
    case 4294967296: return 2;
    case 0: return 3;
    }
    return 0;
}

static int on_unsigned(unsigned u) {
    switch (u) {
    case 0xffffffff: return 1;
    case 0x80000000 ... 0x8fffffff: return 2;
    default: return 3;
    }
}

static int on_enum(enum e e) {
    switch (e) {
    case MINUS: return -1;
    case PLUS: return 1;
    }
    return 0;
}

static int on_bool(int x) {
    switch (x > 3) {
    case 0: return 10;
    case 1: return 20;
    }
    __builtin_unreachable();
}

static int on_short(unsigned short s) {
    switch (s) {
    case (unsigned short)-1: return 1;
    case 40000: return 2;
    }
    return 0;
}

int main(void) {
    printf("%d %d %d %d\n", on_char('c'), on_char('7'), on_char((char)255), on_char('z'));
    printf("%d %d %d %d\n", on_long(-4999999995), on_long(1L << 32), on_long(0), on_long(-1));
    printf("%d %d %d\n", on_unsigned(-1), on_unsigned(0x80000001), on_unsigned(5));
    printf("%d %d %d\n", on_enum(MINUS), on_enum(PLUS), on_enum(0));
    printf("%d %d %d %d\n", on_bool(1), on_bool(5), on_short(65535), on_short(40000));
    int n = 0;
    for (int i = 0; i < 6; i++) {
        switch (i) {
        case 1: continue;
        case 4: break;
        default: n += i;
        }
        n += 100;
    }
    printf("%d\n", n);
    switch (n) { case 1: case 2: default: case 3: printf("default\n"); }
    return 0;
}
