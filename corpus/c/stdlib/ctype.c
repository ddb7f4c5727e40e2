/* Every class of <ctype.h> over the ASCII characters. */
#include <ctype.h>
#include <stdio.h>

int main(void) {
    int counts[11] = { 0 };
    long changes = 0;
    for (int c = 0; c < 128; c++) {
        int (*const classes[])(int) = { isalnum, isalpha, isblank, iscntrl, isdigit, isgraph,
                                        islower, isprint, ispunct, isspace, isupper };
        for (int i = 0; i < 11; i++) counts[i] += classes[i](c) != 0;
        changes += (toupper(c) - c) * 3 + (tolower(c) - c) + (isxdigit(c) != 0);
    }
    for (int i = 0; i < 11; i++) printf("%d ", counts[i]);
    printf("%ld\n", changes);
    return 0;
}
