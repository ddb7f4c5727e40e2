/* The functions of <string.h> and <strings.h> that C11 does not have, and strtok. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int sign(int order) { return (order > 0) - (order < 0); }

int main(void) {
    char text[] = "a,b;;c", line[] = "x y z", fields[] = "p:q::r";
    char *rest, *field = fields;
    for (char *part = strtok_r(text, ",;", &rest); part; part = strtok_r(NULL, ",;", &rest))
        printf("[%s]", part);
    for (char *part = strtok(line, " "); part; part = strtok(NULL, " ")) printf("(%s)", part);
    for (char *part; (part = strsep(&field, ":"));) printf("<%s>", part);
    printf("\n");
    char to[16];
    memset(to, '.', sizeof to);
    printf("%ld ", (long)(stpcpy(to, "abc") - to));
    printf("%ld ", (long)((char *)mempcpy(to, "xy", 2) - to));
    printf("%ld ", (long)((char *)memccpy(to, "abcd", 'c', 4) - to));
    printf("%ld ", (long)(stpncpy(to, "ab", 5) - to));
    printf("%d\n", to[4]);
    const char *s = "hello world";
    printf("%ld %ld %ld ", (long)((char *)memrchr(s, 'o', 11) - s), (long)(strchrnul(s, 'z') - s),
           (long)((char *)memmem(s, 11, "wor", 3) - s));
    printf("%d %d\n", memmem(s, 11, "z", 1) == NULL, memrchr(s, 'z', 11) == NULL);
    printf("%d %d %d ", sign(strcasecmp("HeLLo", "hEllO")), sign(strcasecmp("a", "B")),
           sign(strncasecmp("ABx", "aby", 2)));
    printf("%d %d %d %d\n", ffs(0), ffs(8), ffsl(1L << 40), ffsll(-1LL));
    printf("%d %zu %s\n", sign(strcoll("b", "a")), strxfrm(to, "abc", sizeof to), to);
    return 0;
}
