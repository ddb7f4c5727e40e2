/* Strings and characters with widths and precisions. */
#include <stdio.h>

int main(void) {
    const char *s = "hello";
    char raw[3] = { 'a', 'b', 'c' };
    printf("[%s] [%10s] [%-10s] [%.3s] [%10.2s] [%-6.1s]\n", s, s, s, s, s, s);
    printf("[%.*s] [%*s] [%-*s]\n", 2, s, 8, s, 8, s);
    printf("[%.3s] [%.0s] [%s]\n", raw, s, "");
    printf("[%c] [%3c] [%-3c] [%c%c]\n", 'x', 'y', 'z', 65, 66 + 256);
    printf("%s%s%s\n", "con", "cat", "enated");
    printf("no conversions\n");
    printf("%s\n", "percent % inside");
    printf("tab\there \"quoted\" \\ \x41 \101\n");
    puts("puts adds a newline");
    putchar('p');
    putchar('\n');
    fputs("fputs does not\n", stdout);
    fprintf(stdout, "%s %d\n", "fprintf", 1);
    return 0;
}
