// A double that is written as two words of 32 bits, as on a 32-bit machine.
//@ all: assert fails: the reader may come between the two stores, and sees half of each number
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic unsigned low = 0x33333333, high = 0x3ff33333; // 1.2

static void *writer(void *unused) {
    atomic_store(&low, 0xcccccccd);
    atomic_store(&high, 0x40aa72cc); // 3385.4
    return unused;
}

static void *reader(void *unused) {
    union {
        unsigned long bits;
        double number;
    } both;
    both.bits = atomic_load(&low);
    both.bits |= (unsigned long)atomic_load(&high) << 32;
    assert(both.number == 1.2 || both.number == 3385.4);
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
