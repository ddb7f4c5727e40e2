// The remainder by a number that may be minus one.
//@ all: overflow fails, rest cut: a remainder is undefined where the quotient is
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 3;

static void *negate(void *unused) {
    atomic_store(&divisor, -1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, negate, NULL);
    int rest = INT_MIN % atomic_load(&divisor);
    pthread_join(thread, NULL);
    return rest > 0;
}
