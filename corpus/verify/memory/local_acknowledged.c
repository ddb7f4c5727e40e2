// A thread shows another one its local and returns when it is told that this one is done.
//@ all: holds: all accesses happen before the acknowledgement
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int *_Atomic offered;
static atomic_int done;

static void *owner(void *unused) {
    int value = 5;
    atomic_store_explicit(&offered, &value, memory_order_release);
    while (!atomic_load_explicit(&done, memory_order_acquire))
        ;
    assert(value == 6);
    return unused;
}

static void *guest(void *unused) {
    int *value;
    while ((value = atomic_load_explicit(&offered, memory_order_acquire)) == NULL)
        ;
    *value = 6;
    atomic_store_explicit(&done, 1, memory_order_release);
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
