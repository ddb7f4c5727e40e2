// A sequence lock whose reader waits longer each time.
//$ verify FILE --model sc --model tso --model armv8 --model power --model rc11 --model lkmm --time-limit 60
//$ verify FILE -DRELAXED --property assert --model tso --model armv8 --model rc11 --time-limit 60
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED
#define ACQUIRE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#endif

static atomic_uint sequence;
static atomic_int left, right;

static void wait_a_little(unsigned int *pause) {
    for (unsigned int i = 0; i < *pause; i++) __asm__ volatile("pause" ::: "memory");
    if (*pause < 4) *pause *= 2;
}

static void *writes(void *unused) {
    unsigned int s = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&left, 1, memory_order_relaxed);
    atomic_store_explicit(&right, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 2, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t thread;
    unsigned int pause = 1, before, after;
    int a, b;
    pthread_create(&thread, NULL, writes, NULL);
    for (;;) {
        before = atomic_load_explicit(&sequence, ACQUIRE);
        if (before & 1) { wait_a_little(&pause); continue; }
        a = atomic_load_explicit(&left, memory_order_relaxed);
        b = atomic_load_explicit(&right, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&sequence, memory_order_relaxed);
        if (before == after) break;
        wait_a_little(&pause);
    }
    assert(a == b);
    pthread_join(thread, NULL);
    return 0;
}
