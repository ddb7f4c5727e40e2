// A message with a tagged union: one thread sends a number, one a pair of halves of its width, and
// the receiver looks at the tag.
//@ all: holds: what is in a message is written before it is published, and read behind the acquire

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct message {
    int tag;
    union {
        long number;
        struct { int first, second; } pair;
    } of;
};

static struct message *_Atomic box;

static void *send_number(void *unused)
{
    struct message *message = malloc(sizeof *message), *none = NULL;
    message->tag = 1;
    message->of.number = 5;
    if (!atomic_compare_exchange_strong(&box, &none, message))
        free(message);
    return unused;
}

static void *send_pair(void *unused)
{
    struct message *message = malloc(sizeof *message), *none = NULL;
    message->tag = 2;
    message->of.pair.first = 1;
    message->of.pair.second = 2;
    if (!atomic_compare_exchange_strong(&box, &none, message))
        free(message);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, send_number, 0);
    pthread_create(&b, 0, send_pair, 0);
    struct message *message = atomic_load_explicit(&box, memory_order_acquire);
    if (message && message->tag == 1)
        assert(message->of.number == 5);
    else if (message)
        assert(message->of.pair.first == 1 && message->of.pair.second == 2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(box);
    return 0;
}
