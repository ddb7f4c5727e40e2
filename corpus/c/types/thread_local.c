/* Thread-local variables in a single thread behave as statics. */
#include <stdio.h>

static _Thread_local int counter = 5;
__thread long gnu = -1;
_Thread_local struct { int a, b; } pair = { 1, 2 };
static _Thread_local int array[4] = { [2] = 9 };
extern _Thread_local int declared;
_Thread_local int declared = 3;

static int next(void) {
    static _Thread_local int calls;
    static __thread int step = 10;
    step += ++calls;
    return step;
}

int main(void) {
    int *p = &counter;
    ++*p;
    gnu *= 2;
    pair.b += pair.a;
    printf("%d %ld %d %d %d\n", counter, gnu, pair.b, array[2], array[3]);
    printf("%d ", next());
    printf("%d ", next());
    printf("%d\n", next());
    declared++;
    printf("%d %zu\n", declared, sizeof array);
    return counter;
}
