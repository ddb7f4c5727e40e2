/* switch: fall-through, default anywhere, ranges, nesting, types, no match. */
#include <stdio.h>

static const char *grade(int n) {
    switch (n) {
    case 90 ... 100: return "A";
    case 70 ... 89: return "B";
    case 0 ... 69: return "C";
    default: return n < 0 ? "negative" : "too much";
    }
}

static int fall(int n) {
    int r = 0;
    switch (n) {
    case 3: r += 100;
    case 2: r += 10;
    case 1: r += 1; break;
    default: r = -1;
    case 9: r -= 5;
    }
    return r;
}

static int nested(int a, int b) {
    switch (a) {
    case 1:
        switch (b) {
        case 1: return 11;
        default: break;
        }
        return 10;
    case 2: {
        int local = b * 2;
        return local;
    }
    }
    return 0;
}

static int sparse(long v) {
    switch (v) {
    case -1: return 1;
    case 0x7fffffffffffffff: return 2;
    case 1000000000000: return 3;
    case 'a': return 4;
    }
    return 0;
}

int main(void) {
    for (int i = -10; i <= 110; i += 20) printf("%s ", grade(i));
    printf("\n");
    for (int i = 0; i < 10; i += 1) printf("%d ", fall(i));
    printf("\n");
    printf("%d %d %d %d\n", nested(1, 1), nested(1, 2), nested(2, 7), nested(3, 3));
    printf("%d %d %d %d %d\n", sparse(-1), sparse(0x7fffffffffffffff), sparse(1000000000000), sparse(97), sparse(5));
    unsigned char c = 200;
    switch (c) {
    case 200: printf("byte\n"); break;
    case 200 - 256: printf("never\n"); break;
    }
    switch (3) {
        int unreached;
    case 3:
        unreached = 4;
        printf("%d\n", unreached);
    }
    switch (1)
    case 1: printf("single\n");
    switch (5) { default: ; }
    int n = 0;
    while (1) {
        switch (n++) {
        case 0: continue;
        case 1: break;
        case 2: goto out;
        }
        printf("%d\n", n);
    }
out:
    return 0;
}
