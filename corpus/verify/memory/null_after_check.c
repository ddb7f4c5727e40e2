// A pointer is checked and then loaded again, when another thread may have cleared it.
//@ all: memory fails: the second load may give null
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int value = 3;
static int *_Atomic shared = &value;

static void *reader(void *unused) {
    if (atomic_load(&shared) != NULL)
        assert(*atomic_load(&shared) == 3);
    return unused;
}

static void *writer(void *unused) {
    atomic_store(&shared, NULL);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
