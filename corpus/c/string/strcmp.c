/* strcmp and strncmp order strings by unsigned bytes. */
#include <stdio.h>
#include <string.h>

static int sign(int value) {
    return (value > 0) - (value < 0);
}

int main(void) {
    const char *words[] = { "", "a", "ab", "abc", "b", "\xe4" };
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) printf("%2d ", sign(strcmp(words[i], words[j])));
        printf("\n");
    }
    printf("%d %d %d\n", strncmp("abcd", "abxy", 2), sign(strncmp("abcd", "abxy", 3)),
           strncmp("ab", "ab", 9));
    printf("%d\n", strncmp("x", "y", 0));
    return 0;
}
