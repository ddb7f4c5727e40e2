// Two threads put a byte and a number into a buffer of bytes; each takes room for a number.
//@ all: holds: offsets are multiples of the size of a number
#include <pthread.h>
#include <stdatomic.h>

static _Alignas(8) char buffer[16];
static atomic_int used;

static void *put_byte(void *unused) {
    int at = atomic_fetch_add(&used, sizeof(int));
    buffer[at + 8] = 'b';
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
    pthread_create(&a, NULL, put_byte, NULL);
    pthread_create(&b, NULL, put_number, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
