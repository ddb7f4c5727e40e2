// The members of a packed struct are at odd addresses, and are used as its members.
//@ all: holds: a compiler knows where they are, and accesses them accordingly
#include <assert.h>
#include <pthread.h>

struct __attribute__((packed)) message {
    char kind;
    int numbers[2];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct message shared = { 'm', { 1, 1 } };

static void *increment(void *argument) {
    struct message *message = argument;
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < 2; i++)
        message->numbers[i]++;
    struct message copy = *message;
    assert(copy.numbers[0] == copy.numbers[1]);
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, increment, &shared);
    pthread_create(&b, NULL, increment, &shared);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(shared.numbers[1] == 3);
    return 0;
}
