// A format that is only known when the program runs.
#include <stdio.h>
int main(int argc, char **argv) {
    const char *format = argc > 1 ? "%d\n" : "%x\n";
    printf(format, argc);
    return 0;
}
