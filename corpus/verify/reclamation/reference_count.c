// The last to let go frees: decrements release, the last one acquires.
//@ all: holds: all uses come before the decrement of their thread, hence before the free
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    int value;
};

static void *user(void *argument) {
    struct object *object = argument;
    assert(object->value == 9);
    if (atomic_fetch_sub_explicit(&object->references, 1, memory_order_release) == 1) {
        atomic_thread_fence(memory_order_acquire);
        free(object);
    }
    return NULL;
}

int main(void) {
    struct object *object = malloc(sizeof *object);
    atomic_init(&object->references, 2);
    object->value = 9;
    pthread_t a, b;
    pthread_create(&a, NULL, user, object);
    pthread_create(&b, NULL, user, object);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
