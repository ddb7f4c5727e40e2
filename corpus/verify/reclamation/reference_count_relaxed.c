// The last to let go frees, but the decrements are relaxed.
//@ sc tso: holds: the use comes before the decrement and the free after it
//@ pso: holds: a load comes before all that follows it
//@ relaxed armv8 power riscv: memory fails, assert open: the use may be performed after the decrement, when the block is already free
//@ rc11: race fails: the use and the free are not ordered; only the model's ban on cycles of program order and reads-from keeps the use from coming too late
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
    int value = object->value;
    if (atomic_fetch_sub_explicit(&object->references, 1, memory_order_relaxed) == 1)
        free(object);
    assert(value == 9);
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
