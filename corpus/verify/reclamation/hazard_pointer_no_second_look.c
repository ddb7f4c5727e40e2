// A hazard pointer whose reader does not look again after its announcement.
//@ all: memory fails, assert open, race open: the object may be gone before it is announced
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic shared, *_Atomic hazard;

static void *reader(void *unused) {
    int *object = atomic_load(&shared);
    atomic_store(&hazard, object);
    if (object != NULL)
        assert(*object == 4);
    atomic_store(&hazard, NULL);
    return unused;
}

static void *writer(void *unused) {
    int *object = atomic_exchange(&shared, NULL);
    while (atomic_load(&hazard) == object)
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
