// Blocks are kept by pointers with tags, in the lowest bits, in the highest or below a shifted address,
// and by pointers into them.
//@ all: holds: each pointer leads to its block
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static _Atomic uintptr_t low, high, shifted, inside;

static void *worker(void *unused) {
    (void)unused;
    atomic_fetch_or(&low, 3);
    atomic_fetch_or(&high, (uintptr_t)7 << 48);
    atomic_store(&shifted, atomic_load(&shifted) << 16 | 9);
    atomic_fetch_add(&inside, 2 * sizeof(int));
    return NULL;
}

int main(void) {
    pthread_t thread;
    atomic_init(&low, (uintptr_t)malloc(sizeof(int)));
    atomic_init(&high, (uintptr_t)malloc(sizeof(int)));
    atomic_init(&shifted, (uintptr_t)malloc(sizeof(int)));
    atomic_init(&inside, (uintptr_t)malloc(4 * sizeof(int)));
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
