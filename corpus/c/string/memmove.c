/* memmove handles overlap in both directions, at every distance. */
#include <stdio.h>
#include <string.h>

int main(void) {
    int wrong = 0;
    for (int a = 0; a < 12; a++)
        for (int b = 0; b < 12; b++)
            for (int n = 0; n <= 20; n++) {
                unsigned char buffer[32], expected[32];
                for (int i = 0; i < 32; i++) buffer[i] = expected[i] = (unsigned char)(i + 1);
                for (int i = 0; i < n; i++) expected[a + i] = (unsigned char)(b + i + 1);
                memmove(buffer + a, buffer + b, (size_t)n);
                for (int i = 0; i < 32; i++) wrong += buffer[i] != expected[i];
            }
    char text[] = "abcdefghij";
    memmove(text + 2, text, 5);
    printf("%d %s\n", wrong, text);
    return 0;
}
