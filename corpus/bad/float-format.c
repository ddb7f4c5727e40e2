// Formats for floats with other arguments, and formats that cannot be printed.
#include <stdio.h>
int main(void) {
    int n;
    printf("half: %.2f\n", 1);
    printf("half: %d\n", 0.5);
    printf("half: %a, %Lf\n", 0.5, 0.5);
    printf("%d%n\n", 1, &n);
    printf("%d and %d\n", 1);
    printf("%s\n", 42);
    return 0;
}
