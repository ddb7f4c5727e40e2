/* Strings: literals, arrays, concatenation, escapes, shared constants. */
#include <stdio.h>
#include <string.h>

static const char *const table[] = { "alpha", "be" "ta", "gam"
    "ma" };

int main(void) {
    char a[] = "hello";
    const char *p = "hello";
    char exact[5] = "hello";
    char longer[8] = "hi";
    printf("%zu %zu %zu %zu\n", sizeof a, sizeof p, sizeof exact, sizeof longer);
    printf("%zu %zu\n", sizeof "four", strlen("four"));
    a[0] = 'j';
    printf("%s %s %.5s %s\n", a, p, exact, longer);
    printf("%d %d %d\n", longer[2], longer[7], a[5]);
    printf("%c %c\n", "indexed"[2], *("pointer" + 3));
    printf("%s %s %s\n", table[0], table[1], table[2]);
    printf("[%s]\n", "tab\tquote\"slash\\bell" + 3);
    printf("%zu\n", sizeof "a\0b");
    printf("%d %d %d\n", "\x41\x42"[1], "\1012"[0], "\1012"[1]);
    printf("%s\n", "caf\xc3\xa9 na\u00efve");
    char grid[2][4] = { "abc", { 'd', 'e', 0 } };
    printf("%s %s\n", grid[0], grid[1]);
    unsigned char u[] = "\xff\x80";
    signed char s[] = "\xff\x80";
    printf("%d %d %d %d\n", u[0], u[1], s[0], s[1]);
    printf("%s" " %d" "\n", "joined", 1);
    char empty[] = "";
    printf("%zu [%s]\n", sizeof empty, empty);
    int wide[] = L"wide";
    printf("%zu %d %d\n", sizeof wide, wide[0], wide[4]);
    return 0;
}
