// A block changes its owner: the receiver frees it.
//@ all: holds: the receiver owns the block from the acquire on
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic mailbox;

static void *sender(void *unused) {
    int *letter = malloc(sizeof *letter);
    *letter = 11;
    atomic_store_explicit(&mailbox, letter, memory_order_release);
    return unused;
}

static void *receiver(void *unused) {
    int *letter;
    while ((letter = atomic_load_explicit(&mailbox, memory_order_acquire)) == NULL)
        ;
    assert(*letter == 11);
    free(letter);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, receiver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
