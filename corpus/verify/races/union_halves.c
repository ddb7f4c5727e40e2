// One thread writes a number, another reads its halves, and nothing orders them.
//@ sc tso: holds: the number is written at once, and the upper half is read last
//@ rc11: race fails, assert open: the halves are plain, and so is the number

#include <assert.h>
#include <pthread.h>

static union {
    long number;
    struct { int low, high; } half;
} both;

static void *writer(void *unused)
{
    both.number = (1L << 32) + 1;
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    int low = both.half.low;
    int high = both.half.high;
    if (low == 1)
        assert(high == 1);
    pthread_join(a, 0);
    assert(both.number == (1L << 32) + 1);
    return 0;
}
