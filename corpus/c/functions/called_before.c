// A function that is called before it is declared returns `int`.
#include <stdio.h>

int main(void) {
    printf("%d\n", twice(21));
    return 0;
}

int twice(int value) { return 2 * value; }
