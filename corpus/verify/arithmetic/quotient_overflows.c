// A thread divides by a number that another one makes minus one.
//@ all: overflow fails, rest cut: the least number divided by minus one is too large by one
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 1;

static void *negate(void *unused) {
    atomic_store(&divisor, -1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, negate, NULL);
    int quotient = INT_MIN / atomic_load(&divisor);
    pthread_join(thread, NULL);
    return quotient > 0;
}
