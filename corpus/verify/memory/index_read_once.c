// The same with the index read once.
//@ all: holds: what was checked is what is used
#include <pthread.h>
#include <stdatomic.h>

static atomic_int index;
static int cells[2];

static void *reader(void *unused) {
    int at = atomic_load(&index);
    if (at < 2)
        cells[at] = 1;
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
