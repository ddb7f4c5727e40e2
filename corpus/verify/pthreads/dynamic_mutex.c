// A mutex inside a heap object, initialised and destroyed at run time.
//@ all: holds: initialisation happens before the threads, destruction after them
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t mutex;
    int balance;
};

static void *deposit(void *argument) {
    struct account *account = argument;
    pthread_mutex_lock(&account->mutex);
    account->balance += 10;
    pthread_mutex_unlock(&account->mutex);
    return NULL;
}

int main(void) {
    struct account *account = malloc(sizeof *account);
    pthread_mutex_init(&account->mutex, NULL);
    account->balance = 5;
    pthread_t a, b;
    pthread_create(&a, NULL, deposit, account);
    pthread_create(&b, NULL, deposit, account);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(account->balance == 25);
    pthread_mutex_destroy(&account->mutex);
    free(account);
    return 0;
}
