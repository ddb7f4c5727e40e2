// A sum by divide and conquer: each thread starts one for the left half, and takes the right half
// itself. The ranges are locals of whoever starts a thread, written before and never afterwards.
//@ all: holds: what is written before a thread is started is seen by it, and its end is awaited
//@ c11 imm: holds: the same
#include <assert.h>
#include <pthread.h>

struct range {
    int from, to;
};

static void *sum(void *argument) {
    struct range *whole = argument;
    if (whole->to - whole->from == 1) return (void *)(long)whole->from;
    int middle = (whole->from + whole->to) / 2;
    struct range left = {whole->from, middle}, right = {middle, whole->to};
    pthread_t thread;
    pthread_create(&thread, NULL, sum, &left);
    long result = (long)sum(&right);
    void *other;
    pthread_join(thread, &other);
    return (void *)((long)other + result);
}

int main(void) {
    struct range all = {1, 5};
    assert((long)sum(&all) == 10);
    return 0;
}
