/* reallocarray, memalign, and other functions beside those of C11. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <locale.h>
#include <iso646.h>

int main(void) {
    int *values = reallocarray(NULL, 4, sizeof(int));
    for (int i = 0; i < 4; i++) values[i] = i;
    values = reallocarray(values, 8, sizeof(int));
    printf("%d %d\n", values[3], reallocarray(NULL, SIZE_MAX, 2) == NULL);
    free(values);
    void *aligned = memalign(64, 10);
    printf("%d\n", (int)((uintptr_t)aligned % 64));
    free(aligned);
    wchar_t wide[8];
    wcscpy(wide, L"wide");
    printf("%zu %d %d\n", wcslen(wide), wcscmp(wide, L"wide"), wcscmp(wide, L"wider") < 0);
    printf("%s %d\n", setlocale(LC_ALL, "C"), not (1 and 0) or 0);
    return 0;
}
