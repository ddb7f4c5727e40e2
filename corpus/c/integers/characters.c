/* Character constants: escapes, octal, hexadecimal, multi-character, wide; char is signed. */
#include <stdio.h>
#include <ctype.h>

int main(void) {
    printf("%d %d %d %d\n", 'a', '\n', '\0', '\'');
    printf("%d %d %d %d\n", '\x41', '\101', '\377', '\x80');
    printf("%d %d %d %d\n", '\a', '\b', '\f', '\v');
    printf("%d %d %d\n", '\\', '"', '\?');
    printf("%d %d\n", 'ab', 'abcd');
    printf("%d %d\n", L'x', (int)sizeof(L'x'));
    printf("%d %d\n", (int)sizeof 'a', (int)sizeof(char));
    char c = 'z';
    c -= 'a' - 'A';
    printf("%c %d\n", c, c);
    c = (char)200;
    printf("%d %d\n", c, (unsigned char)c);
    int letters = 0, digits = 0, blanks = 0, upper = 0;
    for (const char *p = "C11 has 6 parts, Or 7.\t"; *p; p++) {
        letters += isalpha((unsigned char)*p) != 0;
        digits += isdigit((unsigned char)*p) != 0;
        blanks += isspace((unsigned char)*p) != 0;
        upper += isupper((unsigned char)*p) != 0;
    }
    printf("%d %d %d %d\n", letters, digits, blanks, upper);
    printf("%c%c\n", toupper('q'), tolower('Q'));
    return 0;
}
