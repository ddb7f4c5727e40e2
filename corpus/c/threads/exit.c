/* thrd_exit ends a thread with its result; thrd_current and thrd_equal tell threads apart. */
#include <stdio.h>
#include <threads.h>

static thrd_t main_thread;

static int worker(void *argument) {
    (void)argument;
    thrd_exit(thrd_equal(thrd_current(), main_thread) ? 1 : -5);
}

int main(void) {
    thrd_t thread;
    int result;
    main_thread = thrd_current();
    thrd_create(&thread, worker, NULL);
    thrd_join(thread, &result);
    printf("%d %d\n", result, thrd_equal(main_thread, thrd_current()) != 0);
    return 0;
}
