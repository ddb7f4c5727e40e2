// One thread takes a byte of a buffer, another one room for a number, and writes it.
//@ all: memory fails: if the byte is taken first, the number stands at an odd address
#include <pthread.h>
#include <stdatomic.h>

static _Alignas(8) char buffer[16];
static atomic_int used;

static void *take_byte(void *unused) {
    atomic_fetch_add(&used, 1);
    return unused;
}

static void *put_number(void *unused) {
    void *to = &buffer[atomic_fetch_add(&used, sizeof(int))];
    int *number = to;
    *number = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, take_byte, NULL);
    pthread_create(&b, NULL, put_number, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
