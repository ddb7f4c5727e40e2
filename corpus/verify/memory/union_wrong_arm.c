// A union under a mutex: one thread writes a number, the other adds to its lower half.
//@ sc tso pso relaxed armv8 riscv rc11: assert fails: the half that is written last makes another number

#include <assert.h>
#include <pthread.h>

static union {
    long number;
    struct { int low, high; } half;
} both;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *write_number(void *unused)
{
    pthread_mutex_lock(&lock);
    both.number = (3L << 32) + 4;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *add_to_half(void *unused)
{
    pthread_mutex_lock(&lock);
    both.half.low++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, write_number, 0);
    pthread_create(&b, 0, add_to_half, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(both.number == (3L << 32) + 5);
    return 0;
}
