// An exchange made of a compare-and-swap that gives the old value through a pointer (the shape of
// Concurrency Kit's ck_pr_fas_ptr).
//$ verify FILE --model sc --model tso --model relaxed --model armv8 --model power --model rc11
#include <pthread.h>
#include <assert.h>
static void *top; static int x;
static _Bool cas_value(void **target, void *compare, void *set, void **v) {
    void *seen = compare;
    __atomic_compare_exchange_n(target, &seen, set, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    *v = seen;
    return seen == compare;
}
static void *swap(void **t, void *v) {
    void *prev = *(void *volatile *)t;
    while (!cas_value(t, prev, v, &prev)) ;
    return prev;
}
static void *all(void *u) { swap(&top, 0); return u; }
int main(void) { pthread_t p; top = &x; pthread_create(&p, 0, all, 0); swap(&top, 0); pthread_join(p, 0); assert(!top); return 0; }
