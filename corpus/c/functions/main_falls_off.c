/* Reaching the end of main returns zero. */
#include <stdio.h>

int main() {
    printf("end\n");
}
