// Adding to a float by a loop around a compare-and-swap, as there is no fetch-and-add for it.
//@ all: holds: the swap succeeds only if nobody has added since, so nothing is lost
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic float total = 1;

static void add(float by) {
    float old = atomic_load_explicit(&total, memory_order_relaxed);
    while (!atomic_compare_exchange_strong(&total, &old, old + by)) {
    }
}

static void *adder(void *argument) {
    add(*(const float *)argument);
    return NULL;
}

int main(void) {
    static float numbers[] = {0.5f, -2.25f};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, adder, &numbers[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(total == -0.75f);
    return 0;
}
