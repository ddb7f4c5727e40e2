// A hazard pointer (Michael, 2004): the reader announces what it reads and looks again; the writer
// takes the object away and frees it only if nobody has announced it.
//@ all: holds: the two full fences make one of them see the other
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic shared, *_Atomic hazard;

static void *reader(void *unused) {
    int *object = atomic_load_explicit(&shared, memory_order_relaxed);
    atomic_store_explicit(&hazard, object, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    if (object != NULL && atomic_load_explicit(&shared, memory_order_acquire) == object)
        assert(*object == 4);
    atomic_store_explicit(&hazard, NULL, memory_order_release);
    return unused;
}

static void *writer(void *unused) {
    int *object = atomic_exchange_explicit(&shared, NULL, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load_explicit(&hazard, memory_order_acquire) == object)
        ;
    free(object);
    return unused;
}

int main(void) {
    int *object = malloc(sizeof *object);
    *object = 4;
    shared = object;
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
