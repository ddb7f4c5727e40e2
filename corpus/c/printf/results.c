/* The result of printf is the number of characters; snprintf truncates. */
#include <stdio.h>
#include <string.h>

int main(void) {
    int n = printf("%s %d\n", "count", 12345);
    printf("%d\n", n);
    n = printf("\n");
    printf("%d\n", n);
    char buffer[10];
    n = snprintf(buffer, sizeof buffer, "%d-%s", 123, "abc");
    printf("%d %s\n", n, buffer);
    n = snprintf(buffer, sizeof buffer, "%s %s", "longer", "than ten");
    printf("%d %s %zu\n", n, buffer, strlen(buffer));
    n = snprintf(buffer, 1, "%d", 77);
    printf("%d [%s]\n", n, buffer);
    n = snprintf(0, 0, "%08x", 0xabc);
    printf("%d\n", n);
    buffer[4] = '!';
    n = snprintf(buffer, 4, "%x", 0xdeadbeef);
    printf("%d %s %c\n", n, buffer, buffer[4]);
    n = sprintf(buffer, "%c%c", 'o', 'k');
    printf("%d %s\n", n, buffer);
    return 0;
}
