// The same as an operation of a data type.
//$ check FILE --test '( all | no )' --model sc --model armv8 --time-limit 30
#include <fencepost.h>
static void *top; static int x;
void init(void) { top = &x; }
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
void all(void) { fp_observe("some", swap(&top, 0) != 0); }
void no(void) { }
