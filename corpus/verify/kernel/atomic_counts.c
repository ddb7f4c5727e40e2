// Increments of every kind are not lost.
//@ sc tso pso armv8 power riscv lkmm: holds: each is one step
#include <assert.h>
#include <lkmm.h>

static atomic_t count;
static atomic_long_t bits;

static void *one(void *unused) {
    atomic_inc(&count);
    atomic_add_return_relaxed(2, &count);
    atomic_long_or(1, &bits);
    return unused;
}

static void *two(void *unused) {
    int seen = atomic_read(&count);
    while (!atomic_try_cmpxchg(&count, &seen, seen + 4))
        cpu_relax();
    atomic_long_fetch_or(2, &bits);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(atomic_read(&count) == 7 && atomic_long_read(&bits) == 3);
    return 0;
}
