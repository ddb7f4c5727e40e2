// The story of a violation that takes three reorderings (condensed from a queue of Concurrency Kit):
// the two stores of `a` are kept in order by their fence, and are not to blame.
//$ verify FILE --property assert --model relaxed
//$ verify FILE --property assert --model relaxed -DATOMIC
#include <assert.h>
#include <pthread.h>
#include <fencepost.h>
volatile int v, n, t;
static void *a(void *u) {
    v = 1;
    fp_fence("store-store");
    if (t == 0) {
#ifdef ATOMIC
        fp_atomic { if (n == 0) n = 1; }
#else
        n = 1;
#endif
    }
    return u;
}
static void *b(void *u) { if (n) t = 1; return u; }
static void *d(void *u) {
    if (t) {
        fp_fence("load-load|load-store");
        if (n) assert(v);
    }
    return u;
}
int main(void) {
    pthread_t p, q, r;
    pthread_create(&p, 0, a, 0); pthread_create(&q, 0, b, 0); pthread_create(&r, 0, d, 0);
    pthread_join(p, 0); pthread_join(q, 0); pthread_join(r, 0);
    return 0;
}
