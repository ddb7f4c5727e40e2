// A thread spins until a flag is set that never is; it detaches itself, so it ends with the program.
//@ all: holds: the thread spins only when it is detached
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;

static void *spins(void *unused) {
    pthread_detach(pthread_self());
    while (!atomic_load(&stop)) {
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, spins, NULL);
    return 0;
}
