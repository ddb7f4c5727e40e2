// Waiting loops that keep what they have read in a variable that is narrower than an int.
//@ all: holds: main sets both, and whoever looks again sees it
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(short) flag;
static _Atomic(char) letter;

static void *first(void *unused) {
    short seen = atomic_load_explicit(&flag, memory_order_acquire);
    while (seen == 0)
        seen = atomic_load_explicit(&flag, memory_order_acquire);
    return unused;
}

static void *second(void *unused) {
    char seen = atomic_load(&letter);
    while (seen == 0)
        seen = atomic_load(&letter);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_store(&letter, 'x');
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
