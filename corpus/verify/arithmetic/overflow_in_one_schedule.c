// A difference that overflows only if the reader comes between two stores.
//@ all: overflow fails: INT_MIN minus one, if the reader sees the low mark before the offset is set back
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int low, offset = 1;
static int result;

static void *writer(void *unused) {
    atomic_store(&low, INT_MIN);
    atomic_store(&offset, 0);
    return unused;
}

static void *reader(void *unused) {
    int from = atomic_load(&low);
    int by = atomic_load(&offset);
    result = from - by;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
