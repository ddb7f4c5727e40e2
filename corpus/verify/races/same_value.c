// Two threads write the same value to a plain variable.
//@ sc tso pso relaxed armv8 power riscv: holds: the value is the same whoever is last
//@ rc11: race fails: two plain writes conflict, whatever they write
#include <assert.h>
#include <pthread.h>

static int done;

static void *worker(void *unused) {
    done = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(done == 1);
    return 0;
}
