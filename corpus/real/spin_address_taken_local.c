// A call that is repeated until it succeeds has a local whose address is taken.
//$ verify FILE --model sc --model tso --model armv8
#include <pthread.h>
#include <string.h>
static volatile int full = 1;
static char slot[8];
static void copy(void *d, const void *s, unsigned n) { memcpy(d, s, n); }
static int put(void *entry) {
    if (full) return 0;
    copy(slot, &entry, sizeof entry);       /* address of a parameter */
    return 1;
}
static void *producer(void *u) { while (!put(u)) ; return u; }
static void *consumer(void *u) { full = 0; return u; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0); pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    return 0;
}
