// A C11 thread that is detached beats for ever: main returns, and it ends with the program.
//@ all: holds: no thread awaits it, and main does not wait for it to end
#include <stdatomic.h>
#include <threads.h>

static atomic_int stop;

static int waits(void *unused) {
    while (!atomic_load(&stop))
        thrd_yield();
    return unused != NULL;
}

int main(void) {
    thrd_t thread;
    thrd_create(&thread, waits, NULL);
    thrd_detach(thread);
    return 0;
}
