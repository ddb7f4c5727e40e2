// The least number divided by what is minus one only for other numbers.
//@ all: holds: the divisor is minus one only where the dividend is not the least number
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int dividend = INT_MIN;

static void *increment(void *unused) {
    atomic_store(&dividend, INT_MIN + 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, increment, NULL);
    int number = atomic_load(&dividend);
    int quotient = number / (number == INT_MIN ? 1 : -1);
    pthread_join(thread, NULL);
    return quotient == 0;
}
