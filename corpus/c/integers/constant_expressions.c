/* Constant expressions where the language demands them. */
#include <stddef.h>
#include <stdio.h>

struct s {
    char a;
    long b[3];
};

enum { N = sizeof(struct s) / 2, M = (N > 10) ? N * 2 : -1, O = offsetof(struct s, b[1]) };

static int array[N + 1];
static char text[(1 << 4) | 3];
static long address = (long)sizeof array;
static int *pointer = &array[3] + 2;
static const char *tail = "constant" + 3;
static unsigned char truncated = (unsigned char)0x1234;
static int logic = 1 && (0 || 2) && !0;
static int choice = sizeof(int) == 4 ? 'y' : 'n';
static int minus = -7 / 2 * 100 + -7 % 2;
static ptrdiff_t distance = &array[9] - &array[2];
_Static_assert(N == 16, "layout");
_Static_assert(O == 16, "offset");

int main(void) {
    printf("%d %d %d\n", N, M, O);
    printf("%zu %zu %ld\n", sizeof array, sizeof text, address);
    printf("%ld %s %d\n", (long)(pointer - array), tail, truncated);
    printf("%d %c %d %ld\n", logic, choice, minus, (long)distance);
    switch (19) {
    case sizeof text: printf("text\n"); break;
    default: printf("no\n");
    }
    return 0;
}
