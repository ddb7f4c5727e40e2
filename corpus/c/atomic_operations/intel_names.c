// Barriers and the pause of x86 by Intel's names.
#include <immintrin.h>
#include <stdio.h>

int main(void) {
    int x = 1;
    _mm_mfence();
    _mm_lfence();
    _mm_sfence();
    _mm_pause();
    __builtin_ia32_pause();
    printf("%d\n", x);
    return 0;
}
