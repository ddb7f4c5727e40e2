/* aligned_alloc and posix_memalign give what they promise. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    void *a = aligned_alloc(64, 128), *b = NULL;
    printf("%d\n", (int)((uintptr_t)a % 64));
    printf("%d\n", posix_memalign(&b, 256, 10));
    printf("%d\n", (int)((uintptr_t)b % 256));
    printf("%d\n", posix_memalign(&a + 0, 24, 10) == EINVAL);
    free(a);
    free(b);
    return 0;
}
