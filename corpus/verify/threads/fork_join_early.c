// A half of a sum is read before the thread that computes it is awaited.
//@ all: assert fails: the thread may not have written its result yet
//@ rc11: assert fails, race fails: nothing orders the result before it is read
#include <assert.h>
#include <pthread.h>

struct part {
    int from, to, sum;
};

static void *add(void *argument) {
    struct part *whole = argument;
    if (whole->to - whole->from == 1) {
        whole->sum = whole->from;
        return NULL;
    }
    int middle = (whole->from + whole->to) / 2;
    struct part left = {whole->from, middle, 0}, right = {middle, whole->to, 0};
    pthread_t thread;
    pthread_create(&thread, NULL, add, &left);
    add(&right);
    whole->sum = left.sum + right.sum;
    pthread_join(thread, NULL);
    return NULL;
}

int main(void) {
    struct part all = {1, 3, 0};
    add(&all);
    assert(all.sum == 3);
    return 0;
}
