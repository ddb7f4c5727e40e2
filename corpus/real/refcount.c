// A reference count whose last owner frees the object: a put is a release, and the last one acquires
// (the style of Linux's refcount_t and of FreeBSD's refcount(9)).
//$ verify FILE --model sc --model tso --model armv8 --model power --model rc11 --model lkmm --property memory --property race --property leak
//$ verify FILE --model rc11 --property memory --property race -DRELAXED
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    int data[2];
};

#ifdef RELAXED
#define RELEASES memory_order_relaxed
#else
#define RELEASES memory_order_release
#endif

static inline _Bool put_and_test(atomic_int *count) {
    if (atomic_fetch_sub_explicit(count, 1, RELEASES) != 1) return 0;
    atomic_thread_fence(memory_order_acquire);
    return 1;
}

static inline void object_put(struct object *object) {
    if (put_and_test(&object->references)) free(object);
}

static void *uses(void *argument) {
    struct object *object = argument;
    object->data[1] = 4;
    object_put(object);
    return NULL;
}

int main(void) {
    struct object *object = malloc(sizeof *object);
    atomic_init(&object->references, 2);
    pthread_t thread;
    pthread_create(&thread, NULL, uses, object);
    object->data[0] = 3;
    object_put(object);
    pthread_join(thread, NULL);
    return 0;
}
