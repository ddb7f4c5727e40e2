// The reader uses what was not written yet in one order of the threads. The other executions are
// complete, and nothing else is wrong in them.
//@ all: memory fails: the reader may come first
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *number;
static atomic_int seen;

static void *writer(void *unused) {
    (void)unused;
    *number = 1;
    return 0;
}

static void *reader(void *unused) {
    (void)unused;
    if (*number == 1)
        seen = 1;
    return 0;
}

int main(void) {
    number = malloc(sizeof *number);
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(*number == 1);
    free(number);
    return 0;
}
