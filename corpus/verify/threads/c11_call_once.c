// C11's call_once with three threads.
//@ all: holds: the function is called once, before any call_once returns
#include <assert.h>
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static int calls;

static void prepare(void) {
    calls++;
}

static int worker(void *unused) {
    (void)unused;
    call_once(&flag, prepare);
    assert(calls == 1);
    return 0;
}

int main(void) {
    thrd_t threads[3];
    for (int i = 0; i < 3; i++)
        thrd_create(&threads[i], worker, 0);
    for (int i = 0; i < 3; i++)
        thrd_join(threads[i], 0);
    return 0;
}
