/* The other printing functions. */
#include <stdio.h>

int main(void) {
    char buffer[8];
    putchar('a');
    putchar('\n');
    fputs("no newline", stdout);
    fputc('\n', stdout);
    puts("puts");
    fprintf(stdout, "%d-%s\n", 5, "x");
    int length = snprintf(buffer, sizeof buffer, "%s %d", "number", 1234);
    printf("%d [%s]\n", length, buffer);
    length = sprintf(buffer, "%03d", 7);
    printf("%d [%s]\n", length, buffer);
    printf("%d\n", snprintf(NULL, 0, "%x", 0xabcd));
    fprintf(stderr, "not on stdout\n");
    fflush(stdout);
    return 0;
}
