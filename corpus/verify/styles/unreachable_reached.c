// The program says that a value is never seen, and a thread sees it.
//@ all: assert fails, rest cut: the compiler may do anything where the value is 1
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int *nothing;

static void *writes(void *unused) {
    atomic_store(&x, 1);
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
    if (atomic_load(&x) == 1) *nothing = 1;
    return 0;
}
