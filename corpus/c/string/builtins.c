/* gcc's names for the string functions are the string functions. */
#include <stdio.h>
#include <string.h>

int main(void) {
    char a[16] = "0123456789", b[16];
    __builtin_memset(b, 'z', sizeof b);
    __builtin_memcpy(b, a, 5);
    printf("%.6s %d\n", b, __builtin_memcmp(a, b, 5));
    __builtin_memmove(a + 1, a, 4);
    printf("%s %zu\n", a, (size_t)__builtin_strlen(a));
    printf("%d\n", __builtin_strcmp(a, "0012356789") < 0);
    return 0;
}
