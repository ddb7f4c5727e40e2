/* memset of every length and alignment; the value is cut to a byte. */
#include <stdio.h>
#include <string.h>

int main(void) {
    int wrong = 0;
    for (int a = 0; a < 9; a++)
        for (int n = 0; n < 20; n++) {
            unsigned char bytes[32] = { 0 };
            memset(bytes + a, 0x1a5, (size_t)n);
            for (int i = 0; i < 32; i++) wrong += bytes[i] != (i >= a && i < a + n ? 0xa5 : 0);
        }
    int numbers[3];
    memset(numbers, -1, sizeof numbers);
    printf("%d %d %d\n", wrong, numbers[0], numbers[2]);
    return 0;
}
