// The same, but main ends the program by calling exit: the thread may run until then.
//@ all: holds: the program ends by design while the thread waits
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;

static void *waits(void *unused) {
    while (!atomic_load(&flag))
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waits, 0);
    exit(0);
}
