// The end of a work-stealing deque (Chase and Lev, 2005; C11 after Lê and others, 2013): the owner
// takes the last task while a thief steals it.
//@ all: holds: the fences put the owner's store of bottom and the thief's load of it in order, and the compare-and-swap on top decides
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top, bottom = 1;
static atomic_int tasks[1] = { 7 };
static atomic_int runs;

static void *owner(void *unused) {
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int t = atomic_load_explicit(&top, memory_order_relaxed);
    if (t <= b) {
        int task = atomic_load_explicit(&tasks[b], memory_order_relaxed);
        if (t == b) {
            if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                         memory_order_relaxed))
                task = 0;
            atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
        }
        if (task == 7)
            atomic_fetch_add_explicit(&runs, 1, memory_order_relaxed);
    } else {
        atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    }
    return unused;
}

static void *thief(void *unused) {
    int t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t < b) {
        int task = atomic_load_explicit(&tasks[t], memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                    memory_order_relaxed)
            && task == 7)
            atomic_fetch_add_explicit(&runs, 1, memory_order_relaxed);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&runs) == 1);
    return 0;
}
