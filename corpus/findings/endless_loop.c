// Spins on a flag that nobody sets; the bound ends it.
// fencepost run: --max-steps 10000
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *wait(void *unused) {
    while (!atomic_load(&flag))
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    return pthread_join(thread, 0);
}
