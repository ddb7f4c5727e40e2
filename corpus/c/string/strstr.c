/* strstr finds the first occurrence, also of the empty string. */
#include <stdio.h>
#include <string.h>

int main(void) {
    const char *text = "ababcabc";
    printf("%td\n", strstr(text, "abc") - text);
    printf("%td\n", strstr(text, "") - text);
    printf("%td\n", strstr(text, "cab") - text);
    printf("%d %d\n", strstr(text, "abd") == NULL, strstr("", "a") == NULL);
    printf("%d\n", strstr("", "") != NULL);
    return 0;
}
