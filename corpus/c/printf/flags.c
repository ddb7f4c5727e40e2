/* Flags, widths and precisions of integers. */
#include <stdio.h>

int main(void) {
    printf("[%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42);
    printf("[%5d] [%-5d] [%05d] [%+d] [% d]\n", -42, -42, -42, -42, -42);
    printf("[%.3d] [%.0d] [%5.3d] [%-6.4d] [%06.3d]\n", 7, 7, 7, 7, 7);
    printf("[%.0d] [%5.0d] [%.0x] [%#.0o]\n", 0, 0, 0, 0);
    printf("[%#x] [%#X] [%#o] [%#x] [%#o]\n", 255, 255, 8, 0, 0);
    printf("[%#8x] [%#08x] [%-#8x] [%#.6x]\n", 0xab, 0xab, 0xab, 0xab);
    printf("[%*d] [%-*d] [%*d] [%.*d] [%*.*d]\n", 6, 1, 6, 2, -6, 3, 4, 4, 7, 3, 5);
    printf("[%+5d] [%+05d] [% 05d] [%+-5d]\n", 9, 9, 9, 9);
    printf("[%10ld] [%-10lu] [%010lx] [%+lld]\n", 123456789l, 5ul, 0xffl, 1ll);
    printf("[%3d] [%1d] [%.1d]\n", 12345, 12345, 12345);
    printf("[%+.2d] [% .2d] [%+.0d]\n", 3, 3, 0);
    printf("[%.*d] [%-+6d]\n", -1, 0, 4);
    return 0;
}
