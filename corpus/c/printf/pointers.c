/* %p shows the same pointer alike, and different ones differently. */
#include <stdio.h>
#include <string.h>

int main(void) {
    int a, b;
    char x[32], y[32], z[32];
    snprintf(x, sizeof x, "%p", (void *)&a);
    snprintf(y, sizeof y, "%p", (void *)&a);
    snprintf(z, sizeof z, "%p", (void *)&b);
    printf("%d %d\n", strcmp(x, y) == 0, strcmp(x, z) == 0);
    printf("%d %d\n", x[0] == '0', x[1] == 'x');
    snprintf(x, sizeof x, "%lx", (unsigned long)&a);
    snprintf(y, sizeof y, "%p", (void *)&a);
    printf("%d\n", strcmp(x, y + 2) == 0);
    return 0;
}
