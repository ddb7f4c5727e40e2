// One thread writes with an atomic operation, the other reads plainly.
//@ sc tso pso relaxed armv8 power riscv: holds: any value that was written is fine
//@ rc11: race fails: an atomic and a plain access conflict, too
#include <pthread.h>

static int value, copy;

static void *writer(void *unused) {
    __atomic_store_n(&value, 1, __ATOMIC_SEQ_CST);
    return unused;
}

static void *reader(void *unused) {
    copy = value;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
