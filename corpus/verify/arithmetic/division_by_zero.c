// A thread divides by a number that another one clears.
//@ all: assert fails, rest cut: the division may come after the store, and some machines go on
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 1;

static void *clear(void *unused) {
    atomic_store(&divisor, 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, clear, NULL);
    int quotient = 7 / atomic_load(&divisor);
    pthread_join(thread, NULL);
    return quotient == 0;
}
