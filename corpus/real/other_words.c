// Words of other tools: Nidhugg's awaits, clang's extremes.
//$ verify FILE --model sc --model tso --model armv8 --model power --model rc11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int top;
extern int __VERIFIER_xchg_await_aint(atomic_int *object, int value, int condition, int operand);
extern int __VERIFIER_load_await_aint(atomic_int *object, int condition, int operand);
#define EQUAL 2
#define AT_MOST 6
#define LESS_SIGNED 12

static void *writes(void *unused) {
    __sync_fetch_and_max(&top, 5);
    x = 1;
    __VERIFIER_load_await_aint(&y, LESS_SIGNED, 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writes, NULL);
    assert(__VERIFIER_xchg_await_aint(&x, 3, EQUAL, 1) == 1);
    __sync_fetch_and_max(&top, 2);
    assert(__VERIFIER_load_await_aint(&x, AT_MOST, 3) == 3 && top == 5);
    y = -1;
    pthread_join(thread, NULL);
    return 0;
}
