// A thread looks three times and then gives up.
//@ all: holds: the loop has an end of its own
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int gave_up;

static void *waiter(void *unused) {
    int tries = 0;
    while (!atomic_load(&flag))
        if (++tries == 3) {
            gave_up = 1;
            break;
        }
    return unused;
}

static void *setter(void *unused) {
    atomic_store(&flag, 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(gave_up == 0 || gave_up == 1);
    return 0;
}
