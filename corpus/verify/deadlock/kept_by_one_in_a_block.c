// The mutex of a heap block stays held by a thread that has terminated, and only it ever used it.
//@ all: deadlock fails: its owner has terminated and never releases it
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t mutex;
    int money;
};

static struct account *account;

static void *thread(void *unused) {
    struct account *own = malloc(sizeof *own);
    pthread_mutex_init(&own->mutex, NULL);
    pthread_mutex_lock(&own->mutex);
    own->money = 1;
    account = own;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return account->money - 1;
}
