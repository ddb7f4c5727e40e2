/* inline, static inline, extern inline, always_inline, noinline. */
#include <stdio.h>

static inline int add(int a, int b) { return a + b; }
inline __attribute__((always_inline)) static int square(int x) { return x * x; }
static __attribute__((noinline)) int slow(int x) { return x - 1; }
inline int shared(int x) { return x * 3; }
extern inline int shared(int x);
__inline__ static int gnu(int x) { return -x; }
static inline int counting(void) {
    static int n;
    return ++n;
}

int main(void) {
    printf("%d %d %d %d %d\n", add(1, 2), square(5), slow(10), shared(7), gnu(4));
    counting();
    counting();
    printf("%d\n", counting());
    int (*f)(int, int) = add;
    printf("%d\n", f(square(2), square(3)));
    return 0;
}
