// A balance that may be negative for a while is doubled by a shift.
//@ all: overflow fails: between the two updates the balance is negative
#include <pthread.h>
#include <stdatomic.h>

static atomic_int balance;

static void *transfer(void *unused) {
    atomic_fetch_sub(&balance, 1);
    atomic_fetch_add(&balance, 2);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, transfer, NULL);
    int doubled = atomic_load(&balance) << 1;
    pthread_join(thread, NULL);
    return doubled > 2;
}
