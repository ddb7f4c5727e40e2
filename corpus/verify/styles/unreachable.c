// The program says that a value is never seen, and no thread sees it.
//@ all: holds: the value is never stored
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *writes(void *unused) {
    atomic_store(&x, 2);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writes, NULL);
    switch (atomic_load(&x)) {
    case 0: break;
    case 2: break;
    default: __builtin_unreachable();
    }
    pthread_join(thread, NULL);
    return 0;
}
