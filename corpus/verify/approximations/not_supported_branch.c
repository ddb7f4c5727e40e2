// Something that is not supported, which only some executions reach (S-300): nothing is wrong with
// the program, and nothing is known about what follows.
//@ all: rest cut: executions end where the file would be opened
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *writes(void *unused) {
    atomic_store(&x, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    FILE *file = NULL;
    pthread_create(&thread, NULL, writes, NULL);
    if (atomic_load(&x)) file = fopen("seen", "w");
    pthread_join(thread, NULL);
    assert(file == NULL);
    return 0;
}
