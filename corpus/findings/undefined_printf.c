// Prints a sum of which one part is undefined.
#include <stdio.h>

int main(void) {
    int parts[2];
    parts[0] = 1;
    printf("%d\n", parts[0]);
    printf("%d\n", parts[0] + parts[1]);
    return 0;
}
