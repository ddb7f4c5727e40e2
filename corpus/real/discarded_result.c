// An atomic instruction of AArch64 that does not give what it read is not ordered by a barrier for
// loads, in assembly as in litmus tests.
//$ verify FILE --model armv8 --property assert
//$ verify FILE --model armv8 --property assert -DZERO
//$ verify FILE --model sc --model armv8 --property assert -DRESULT
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int seen;

static void *adds(void *unused) {
    int old;
#if defined RESULT
    __asm__ volatile("ldadd %w1, %w0, %2\n\tdmb ishld" : "=&r"(old) : "r"(1), "Q"(x) : "memory");
#elif defined ZERO
    __asm__ volatile("ldadd %w0, wzr, %1\n\tdmb ishld" : : "r"(1), "Q"(x) : "memory");
#else
    __asm__ volatile("stadd %w0, %1\n\tdmb ishld" : : "r"(1), "Q"(x) : "memory");
#endif
    (void)old;
    seen = y;
    return unused;
}

static void *writes(void *unused) {
    y = 1;
    __asm__ volatile("dmb ish" : : : "memory");
    x = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, adds, NULL);
    pthread_create(&b, NULL, writes, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x != 2 || seen == 1);
    return 0;
}
