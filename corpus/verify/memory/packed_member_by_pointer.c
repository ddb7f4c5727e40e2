// A thread is handed a pointer to a member of a packed struct, as if it were any number.
//@ all: memory fails: the member is at an odd address
#include <pthread.h>
#include <stddef.h>

struct __attribute__((packed)) message {
    char kind;
    int number;
};

static struct message shared;

static void *increment(void *argument) {
    int *number = argument;
    *number += 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, increment, (char *)&shared + offsetof(struct message, number));
    pthread_join(thread, NULL);
    return 0;
}
