// The same exchange as an operation of a data type that one thread uses.
//$ check FILE --test '( all | no )' --test '( all | all )' --model sc --model tso --model relaxed --model armv8 --model power --model rc11
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
