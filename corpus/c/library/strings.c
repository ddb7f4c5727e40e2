/* The functions of string.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sign(int n) { return (n > 0) - (n < 0); }

int main(void) {
    char b[40];
    printf("%zu %zu %zu\n", strlen(""), strlen("a"), strlen("hello\0hidden"));
    printf("%d %d %d %d\n", strcmp("a", "a"), sign(strcmp("a", "b")), sign(strcmp("b", "a")), sign(strcmp("ab", "a")));
    printf("%d %d\n", sign(strcmp("\xe9", "z")), strncmp("abcd", "abxx", 2));
    printf("%d\n", sign(strncmp("abcd", "abxx", 3)));
    strcpy(b, "copy");
    strcat(b, "-cat");
    strncat(b, "enated", 3);
    printf("%s\n", b);
    memset(b, '!', sizeof b);
    strncpy(b, "pad", 6);
    printf("%s %d %d %c\n", b, b[4], b[5], b[6]);
    strncpy(b, "truncated", 4);
    printf("%.6s\n", b);
    const char *s = "a/b/c.txt";
    printf("%s %s %d\n", strchr(s, '/'), strrchr(s, '/'), strchr(s, 'z') == 0);
    printf("%s\n", strchr(s, 0) == s + 9 ? "end" : "wrong");
    printf("%s %d\n", strstr(s, "c.t"), strstr(s, "nope") == 0);
    printf("%zu %zu\n", strspn("aabbc", "ab"), strcspn("hello, world", ", "));
    printf("%s\n", strpbrk("key=value", "=:"));
    char *d = strdup("duplicate");
    d[0] = 'D';
    printf("%s\n", d);
    free(d);
    return 0;
}
