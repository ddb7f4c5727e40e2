// A register that is exchanged with and added to itself: the sum is written last.
#include <stdio.h>

int main(void) {
    int five = 5;
    __asm__("xaddl %0, %0" : "+r"(five));
    printf("%d\n", five);
    return 0;
}
