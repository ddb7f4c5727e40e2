// A thread looks at a flag through a function that gives its value by way of a local.
//@ all: liveness fails: nobody sets the flag
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void get(int *value) { *value = atomic_load(&flag); }

static int is_set(void) {
    int value;
    get(&value);
    return value;
}

static void *waits(void *unused) {
    while (!is_set())
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waits, 0);
    pthread_join(thread, 0);
    return 0;
}
