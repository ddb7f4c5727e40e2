// A release store is not shown before what precedes it in its thread (condensed from a ring buffer).
//$ verify FILE --property assert --model armv8
//$ verify FILE --property assert --model rc11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int data[2];
static atomic_int seen, gone;
static void *producer(void *u) {
    data[1] = 1; data[0] = 1;
    atomic_store_explicit(&seen, 1, memory_order_release);
    atomic_store_explicit(&gone, 1, memory_order_relaxed);
    return u;
}
static void *consumer(void *u) {
    if (atomic_load_explicit(&gone, memory_order_acquire)) assert(data[0] == data[1]);
    return u;
}
int main(void) {
    pthread_t p, c;
    pthread_create(&p, 0, producer, 0); pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0); pthread_join(c, 0);
    return 0;
}
