/* for, while, do with break and continue, nested and empty. */
#include <stdio.h>

int main(void) {
    int i, j, sum = 0;
    for (i = 0; i < 10; i++) {
        if (i == 3) continue;
        if (i == 7) break;
        sum += i;
    }
    printf("%d %d\n", i, sum);
    i = 10;
    while (i-- > 0) if (i % 3 == 0) printf("%d ", i);
    printf("%d\n", i);
    do {
        i += 2;
        if (i == 3) continue;
        printf("%d ", i);
    } while (i < 8);
    printf("\n");
    for (i = 0, j = 10; i < j; i++, j--);
    printf("%d %d\n", i, j);
    for (;;) {
        if (++i > 20) break;
    }
    printf("%d\n", i);
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            if (b == 2) break;
            if (a == b) continue;
            printf("%d%d ", a, b);
        }
    }
    printf("\n");
    do printf("once\n"); while (0);
    while (0) printf("never\n");
    for (int a = 5, *p = &a; *p; --*p) printf("%d ", a);
    printf("\n");
    unsigned u;
    for (u = 3; u-- > 0;) printf("%u ", u);
    printf("%u\n", u);
    int primes = 0;
    for (int n = 2; n < 60; n++) {
        int d = 2;
        while (d * d <= n && n % d) d++;
        primes += d * d > n;
    }
    printf("%d\n", primes);
    return 0;
}
