// The reader follows a pointer that may not be there yet.
//@ all: memory fails: the pointer is null until the writer has published
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int value = 3;
static int *_Atomic shared;

static void *reader(void *unused) {
    assert(*atomic_load(&shared) == 3);
    return unused;
}

static void *writer(void *unused) {
    atomic_store(&shared, &value);
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
