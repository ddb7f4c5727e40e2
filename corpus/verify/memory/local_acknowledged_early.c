// A thread shows another one its local and returns when it is told that this one is done, which says
// so with a relaxed store.
//@ sc tso pso: holds: a load comes before later stores of its thread
//@ relaxed armv8 power riscv: memory fails: the load may be performed after the store behind it
//@ rc11: race fails: nothing orders the load before the end of the local, though none of RC11's executions lets it come later
#include <pthread.h>
#include <stdatomic.h>

static int *_Atomic offered;
static atomic_int done;
static int seen;

static void *owner(void *unused) {
    int value = 5;
    atomic_store_explicit(&offered, &value, memory_order_release);
    while (!atomic_load_explicit(&done, memory_order_acquire))
        ;
    return unused;
}

static void *guest(void *unused) {
    int *value;
    while ((value = atomic_load_explicit(&offered, memory_order_acquire)) == NULL)
        ;
    int copy = *value;
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    seen = copy;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, guest, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
