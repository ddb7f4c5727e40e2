/* __builtin_types_compatible_p, __builtin_choose_expr, __builtin_constant_p. */
#include <stdio.h>

#define SAME(a, b) __builtin_types_compatible_p(a, b)

typedef int number;
struct s { int x; };

int main(void) {
    int array[4];
    printf("%d %d %d\n", SAME(int, number), SAME(int, unsigned), SAME(int, const int));
    printf("%d %d\n", SAME(int *, const int *), SAME(int[], int[4]));
    printf("%d %d\n", SAME(struct s, struct s), SAME(typeof(array), int *));
    printf("%d %d\n", SAME(long, long long), SAME(char, signed char));
    printf("%d\n", __builtin_choose_expr(sizeof(int) == 4, 10, "text"));
    printf("%s\n", __builtin_choose_expr(0, 10, "text"));
    printf("%d\n", __builtin_constant_p(3 + 4));
    printf("%ld\n", __builtin_expect(5L, 1));
    if (__builtin_expect(array != 0, 1)) printf("likely\n");
    printf("%zu\n", __builtin_offsetof(struct { char c; int i; }, i));
    return 0;
}
