// Threads run functions from a table.
//@ all: holds: the two functions commute
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value = 1;

static void *add_two(void *unused) {
    atomic_fetch_add(&value, 2);
    return unused;
}

static void *add_five(void *unused) {
    atomic_fetch_add(&value, 5);
    return unused;
}

static void *(*const table[])(void *) = { add_two, add_five };

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, table[i], NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(value == 8);
    return 0;
}
