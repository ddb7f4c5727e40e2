// A format that prints a float, and other formats that cannot be printed.
#include <stdio.h>
int main(void) {
    int n;
    printf("half: %.2f\n", 1);
    printf("%d%n\n", 1, &n);
    printf("%d and %d\n", 1);
    printf("%s\n", 42);
    return 0;
}
