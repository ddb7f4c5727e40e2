// Two polite threads, as in after_you, that toss a coin before they lower their flags. The coin does
// not help against a scheduler that knows it.
//@ sc: liveness fails: each thread can be made to look while the other's flag is raised
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static atomic_int wants[2];

static void *enters(void *number) {
    int own = number != 0;
    for (;;) {
        atomic_store(&wants[own], 1);
        if (!atomic_load(&wants[!own]))
            break;
        if (__VERIFIER_nondet_int())
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
