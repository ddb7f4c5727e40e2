/* memcpy of every length and alignment up to 17 copies exactly those bytes. */
#include <stdio.h>
#include <string.h>

int main(void) {
    unsigned char from[40], to[40];
    int wrong = 0;
    for (int i = 0; i < 40; i++) from[i] = (unsigned char)(i * 7 + 1);
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++)
            for (int n = 0; n <= 17; n++) {
                for (int i = 0; i < 40; i++) to[i] = 0xee;
                if (memcpy(to + a, from + b, (size_t)n) != to + a) wrong++;
                for (int i = 0; i < 40; i++) {
                    int expected = i >= a && i < a + n ? from[i - a + b] : 0xee;
                    wrong += to[i] != expected;
                }
            }
    printf("%d\n", wrong);
    return 0;
}
