// A thread makes an array as long as a number that another one may not have set yet.
//@ all: assert fails, rest cut: before it is set, the number is zero, and no array is that long
//@ relaxed: open: what a thread reads may come from behind the allocation there, so its size is refused
#include <pthread.h>
#include <stdatomic.h>

static atomic_int length;

static void *sets(void *unused) {
    atomic_store(&length, 2);
    return unused;
}

static void *makes(void *unused) {
    int numbers[atomic_load(&length)];
    numbers[0] = 1;
    return numbers[0] ? unused : NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, sets, NULL);
    pthread_create(&b, NULL, makes, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
