/* Tables made of many small prints. */
#include <stdio.h>

int main(void) {
    for (int i = 1; i <= 5; i++) {
        for (int j = 1; j <= 5; j++) printf("%4d", i * j);
        printf("\n");
    }
    for (int i = 0; i < 16; i++) printf("%02x%c", i * 17, i % 8 == 7 ? '\n' : ' ');
    for (int i = 0; i < 4; i++) printf("%*s%s\n", i * 2, "", "indented");
    printf("%s: %d%%, %s: %d%%\n", "one", 50, "two", 25);
    printf("%d,%d,%d,%d,%d,%d,%d,%d,%d,%d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    return 0;
}
