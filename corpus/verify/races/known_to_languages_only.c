// Two threads write a variable that is not atomic.
//@ sc tso pso relaxed armv8 power riscv: holds: a machine has no notion of a data race
//@ rc11: race fails: neither store happens before the other
//@ imm: holds: IMM is a model of compiled programs and has no notion of a data race, either
#include <pthread.h>
#include <stddef.h>

static int x;

static void *writer(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
