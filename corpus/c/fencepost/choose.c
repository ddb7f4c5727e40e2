/* A choice lies between its bounds, and an unconstrained value fits its width. */
#include <fencepost.h>
#include <stdio.h>

int main(void) {
    int outside = 0;
    for (int i = 0; i < 50; i++) {
        int value = fp_choose(-2, 2);
        outside += value < -2 || value > 2;
        outside += fp_any_u8() > 255;
        outside += sizeof(fp_any_u16()) != 2;
        outside += (unsigned long)fp_any_u32() > 0xffffffffUL;
        (void)fp_any_u64();
    }
    printf("%d\n", outside);
    return 0;
}
