// An index is checked, and then read again when another thread may have raised it.
//@ all: memory fails: the second reading of the index may be past the end
#include <pthread.h>
#include <stdatomic.h>

static atomic_int index;
static int cells[2];

static void *reader(void *unused) {
    if (atomic_load(&index) < 2)
        cells[atomic_load(&index)] = 1;
    return unused;
}

static void *writer(void *unused) {
    atomic_store(&index, 2);
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
