// The only pointer to a block is moved out of the block, by a thread or by main.
//@ all: leak fails: nothing leads to the block any more
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static _Atomic uintptr_t shared;

static void *worker(void *unused) {
    (void)unused;
    atomic_fetch_add(&shared, 4096);
    return NULL;
}

int main(void) {
    pthread_t thread;
    atomic_init(&shared, (uintptr_t)malloc(sizeof(int)));
    pthread_create(&thread, NULL, worker, NULL);
    atomic_fetch_xor(&shared, 0xff0000);
    pthread_join(thread, NULL);
    return 0;
}
