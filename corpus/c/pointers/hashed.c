/* Bits of a pointer as an index into tables, and pointers with tags and counters inside. */
#include <stdint.h>
#include <stdio.h>

static char marks[64];
static int counts[64];
static int object = 5;

int main(void) {
    uintptr_t hash = ((uintptr_t)&object >> 4) & 63;
    counts[hash]++;
    marks[hash] = 1;
    *(hash + marks) += 1;
    printf("%d %d\n", counts[hash], marks[hash]);

    uintptr_t tagged = (uintptr_t)&object | 1;
    printf("%d %d\n", (int)(tagged & 1), *(int *)(tagged & ~(uintptr_t)1));

    uint64_t counted = (uint64_t)(uintptr_t)&object | (uint64_t)7 << 48;
    int *back = (int *)(uintptr_t)(counted & 0xffffffffffff);
    printf("%d %d\n", (int)(counted >> 48), *back);

    uint64_t shifted = (uint64_t)(uintptr_t)&object << 16 | 9;
    printf("%d %d\n", (int)(shifted & 0xffff), *(int *)(uintptr_t)(shifted >> 16));
    return 0;
}
