/* C11 threads: the int result of a thread comes back through thrd_join. */
#include <stdio.h>
#include <threads.h>

static int negate(void *argument) {
    return -*(int *)argument;
}

int main(void) {
    int values[3] = { 1, -20, 300 };
    thrd_t threads[3];
    for (int i = 0; i < 3; i++)
        if (thrd_create(&threads[i], negate, &values[i]) != thrd_success) return 1;
    for (int i = 0; i < 3; i++) {
        int result;
        if (thrd_join(threads[i], &result) != thrd_success) return 2;
        printf("%d\n", result);
    }
    return 0;
}
