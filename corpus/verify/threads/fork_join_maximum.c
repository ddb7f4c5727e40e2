// The maximum of an array by divide and conquer, with results in the structs that threads are given.
//@ all: holds: a thread writes its result before its end is awaited, and that is before it is read
#include <assert.h>
#include <pthread.h>

static const int numbers[4] = {3, 1, 7, 2};

struct part {
    int from, to, largest;
};

static void *search(void *argument) {
    struct part *whole = argument;
    if (whole->to - whole->from == 1) {
        whole->largest = numbers[whole->from];
        return NULL;
    }
    int middle = (whole->from + whole->to) / 2;
    struct part left = {whole->from, middle, 0}, right = {middle, whole->to, 0};
    pthread_t thread;
    pthread_create(&thread, NULL, search, &left);
    search(&right);
    pthread_join(thread, NULL);
    whole->largest = left.largest > right.largest ? left.largest : right.largest;
    return NULL;
}

int main(void) {
    struct part all = {0, 4, 0};
    search(&all);
    assert(all.largest == 7);
    return 0;
}
