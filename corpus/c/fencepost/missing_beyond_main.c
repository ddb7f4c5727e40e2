// A function that main never calls may call one that nobody defines.
#include <stdio.h>

extern int missing(int);

int unused(int value) { return missing(value); }

int main(void) {
    printf("fine\n");
    return 0;
}
