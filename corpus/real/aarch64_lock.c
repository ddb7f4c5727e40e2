// A lock of load- and store-exclusives in AArch64 assembly, as in libraries without C11 atomics.
//$ verify FILE --model sc --model tso --model armv8 --model power --model rc11 --model lkmm
//$ verify FILE -DNO_ACQUIRE --model sc --model armv8 --property assert
#include <assert.h>
#include <pthread.h>

typedef struct { volatile unsigned int value; } lock_type;
static lock_type guard;
static int count, twice;

static inline void lock(lock_type *l) {
    unsigned int held, failed;
    __asm__ volatile(
        "   prfm    pstl1strm, %2\n"
#ifdef NO_ACQUIRE
        "1: ldxr    %w0, %2\n"
#else
        "1: ldaxr   %w0, %2\n"
#endif
        "   cbnz    %w0, 1b\n"
        "   stxr    %w1, %w3, %2\n"
        "   cbnz    %w1, 1b\n"
        : "=&r"(held), "=&r"(failed), "+Q"(l->value)
        : "r"(1)
        : "memory");
}

static inline void unlock(lock_type *l) {
    __asm__ volatile("stlr %w1, %0" : "=Q"(l->value) : "rZ"(0) : "memory");
}

static void *adds(void *unused) {
    lock(&guard);
    count++;
    twice = 2 * count;
    unlock(&guard);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, adds, NULL);
    lock(&guard);
    assert(twice == 2 * count);
    count++;
    twice = 2 * count;
    unlock(&guard);
    pthread_join(thread, NULL);
    assert(count == 2 && twice == 4);
    return 0;
}
