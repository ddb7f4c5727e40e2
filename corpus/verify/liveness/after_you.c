// Two polite threads: each raises its flag, and lowers it again if the other's is raised.
//@ sc tso armv8: liveness fails: both can raise and lower their flags in step, for ever
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];

static void *enters(void *number) {
    int own = number != 0;
    for (;;) {
        atomic_store(&wants[own], 1);
        if (!atomic_load(&wants[!own]))
            break;
        atomic_store(&wants[own], 0);
    }
    atomic_store(&wants[own], 0);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, enters, 0);
    pthread_create(&b, 0, enters, &wants);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
