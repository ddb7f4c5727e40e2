// Threads return numbers and pointers, which main collects.
//@ all: holds: join hands over what the function returned
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int cells[2];

static void *number(void *argument) {
    return (void *)((intptr_t)argument * 10);
}

static void *address(void *argument) {
    int *cell = argument;
    *cell = 7;
    return cell;
}

int main(void) {
    pthread_t a, b;
    void *first, *second;
    pthread_create(&a, NULL, number, (void *)(intptr_t)4);
    pthread_create(&b, NULL, address, &cells[1]);
    pthread_join(a, &first);
    pthread_join(b, &second);
    assert((intptr_t)first == 40);
    assert(second == &cells[1] && *(int *)second == 7);
    return 0;
}
