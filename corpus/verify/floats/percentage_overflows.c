// A percentage of nothing is infinite, and no `int` holds it.
//@ all: overflow fails: if the watcher comes before the total is set, the quotient is infinite, and its conversion undefined
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done = 1, total;
static int percent;

static void *work(void *unused) {
    atomic_store(&total, 4);
    return unused;
}

static void *watch(void *unused) {
    double part = atomic_load(&done);
    percent = (int)(100 * part / atomic_load(&total));
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, watch, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
