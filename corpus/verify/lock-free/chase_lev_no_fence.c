// A work-stealing deque of two tasks whose owner has no fence between writing bottom and reading top:
// it may take the task that two thieves' steps have just reached.
//@ sc: holds: the owner sees that one task was stolen, or the thief sees that one was taken
//@ tso pso relaxed armv8 power riscv rc11: assert fails: the owner may read an old top before its bottom is seen, and both run the second task
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top, bottom = 2;
static atomic_int runs[2];

static void *owner(void *unused) {
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    int t = atomic_load_explicit(&top, memory_order_relaxed);
    if (t < b) {
        atomic_fetch_add_explicit(&runs[b], 1, memory_order_relaxed);
    } else if (t == b) {
        if (atomic_compare_exchange_strong(&top, &t, t + 1))
            atomic_fetch_add_explicit(&runs[b], 1, memory_order_relaxed);
    }
    return unused;
}

static void *thief(void *unused) {
    for (int i = 0; i < 2; i++) {
        int t = atomic_load_explicit(&top, memory_order_acquire);
        atomic_thread_fence(memory_order_seq_cst);
        int b = atomic_load_explicit(&bottom, memory_order_acquire);
        if (t < b && atomic_compare_exchange_strong(&top, &t, t + 1))
            atomic_fetch_add_explicit(&runs[t], 1, memory_order_relaxed);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&runs[0]) <= 1 && atomic_load(&runs[1]) <= 1);
    return 0;
}
