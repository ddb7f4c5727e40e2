// Each of two threads writes one more than what it has read from the other, in a block that was
// filled before.
//@ all c11 c11-simp: holds: no number is two more than itself, so no values come from nothing, and nothing is undefined once the block was filled
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pair {
    atomic_int x, y;
};

static void *right(void *block) {
    struct pair *pair = block;
    int seen = atomic_load_explicit(&pair->x, memory_order_relaxed);
    atomic_store_explicit(&pair->y, seen + 1, memory_order_relaxed);
    return seen == 7 ? block : 0;
}

static void *left(void *block) {
    struct pair *pair = block;
    int seen = atomic_load_explicit(&pair->y, memory_order_relaxed);
    atomic_store_explicit(&pair->x, seen + 1, memory_order_relaxed);
    return seen == 7 ? block : 0;
}

int main(void) {
    pthread_t a, b;
    struct pair *pair = malloc(sizeof *pair);
    if (!pair)
        return 1;
    atomic_init(&pair->x, 2);
    atomic_init(&pair->y, 2);
    pthread_create(&a, 0, right, pair);
    pthread_create(&b, 0, left, pair);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(pair);
    return 0;
}
