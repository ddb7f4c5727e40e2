/* Searching for characters: strchr, strrchr, strspn, strcspn, strpbrk. */
#include <stdio.h>
#include <string.h>

int main(void) {
    const char *text = "a/bc/d";
    printf("%s %s\n", strchr(text, '/'), strrchr(text, '/'));
    printf("%d %d\n", strchr(text, 'x') == NULL, strrchr(text, 'x') == NULL);
    printf("%td %td\n", strchr(text, 0) - text, strrchr(text, 0) - text);
    printf("%zu %zu %zu\n", strspn(text, "ab/"), strspn(text, ""), strspn("", "a"));
    printf("%zu %zu\n", strcspn(text, "cd"), strcspn(text, "xyz"));
    printf("%s %d\n", strpbrk(text, "dc"), strpbrk(text, "z") == NULL);
    return 0;
}
