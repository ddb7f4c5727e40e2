/* Threads start threads, and a tree of them sums an array. */
#include <pthread.h>
#include <stdio.h>

struct range {
    const int *from;
    int count;
    long sum;
};

static void *add(void *argument) {
    struct range *range = argument;
    if (range->count == 1) {
        range->sum = *range->from;
        return NULL;
    }
    int half = range->count / 2;
    struct range left = { range->from, half, 0 };
    struct range right = { range->from + half, range->count - half, 0 };
    pthread_t thread;
    pthread_create(&thread, NULL, add, &left);
    add(&right);
    pthread_join(thread, NULL);
    range->sum = left.sum + right.sum;
    return NULL;
}

int main(void) {
    int values[7] = { 3, 1, 4, 1, 5, 9, 2 };
    struct range all = { values, 7, 0 };
    add(&all);
    printf("%ld\n", all.sum);
    return 0;
}
