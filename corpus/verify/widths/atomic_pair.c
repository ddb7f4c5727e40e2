// A C11 atomic struct of a pointer and a count is swapped as a whole, and its members are read singly.
//@ sc tso pso rmo relaxed armv8 riscv: holds: who sees the count sees the pointer that was swapped with it
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct pair {
    int *place;
    uintptr_t count;
};

static _Atomic struct pair shared;
static int number;

static void *sets(void *unused) {
    struct pair old = atomic_load(&shared), new;
    do {
        new.place = &number;
        new.count = old.count + 1;
    } while (!atomic_compare_exchange_weak(&shared, &old, new));
    return unused;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, NULL, sets, NULL);
    struct pair *inside = (struct pair *)&shared;
    uintptr_t count = __atomic_load_n(&inside->count, __ATOMIC_ACQUIRE);
    int *place = __atomic_load_n(&inside->place, __ATOMIC_ACQUIRE);
    assert(count == 0 || place == &number);
    pthread_join(p, NULL);
    struct pair end = atomic_load(&shared);
    assert(end.count == 1 && end.place == &number);
    return 0;
}
