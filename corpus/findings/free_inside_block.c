// Frees a pointer that was moved on.
#include <stdlib.h>

int main(void) {
    char *text = calloc(8, 1);
    while (text[0] == 0 && text[1] == 0 && (unsigned long)text % 8 < 4)
        text++;
    free(text);
    return 0;
}
