/* strdup gives a copy of one's own; strndup at most so many characters of it. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char text[] = "fence";
    char *copy = strdup(text), *part = strndup(text, 3), *whole = strndup(text, 30);
    copy[0] = 'h';
    printf("%s %s %s %s\n", text, copy, part, whole);
    free(copy);
    free(part);
    free(whole);
    return 0;
}
