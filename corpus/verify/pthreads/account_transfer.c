// Transfers between accounts in opposite directions that lock in the order of the accounts.
//@ all: holds: one order of locking, and the sum is kept
#include <assert.h>
#include <pthread.h>

static struct account {
    pthread_mutex_t mutex;
    int balance;
} accounts[2] = { { PTHREAD_MUTEX_INITIALIZER, 100 }, { PTHREAD_MUTEX_INITIALIZER, 100 } };

static void transfer(int from, int to, int amount) {
    int first = from < to ? from : to, second = from < to ? to : from;
    pthread_mutex_lock(&accounts[first].mutex);
    pthread_mutex_lock(&accounts[second].mutex);
    accounts[from].balance -= amount;
    accounts[to].balance += amount;
    pthread_mutex_unlock(&accounts[second].mutex);
    pthread_mutex_unlock(&accounts[first].mutex);
}

static void *forth(void *unused) {
    transfer(0, 1, 30);
    return unused;
}

static void *back(void *unused) {
    transfer(1, 0, 20);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, forth, NULL);
    pthread_create(&b, NULL, back, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(accounts[0].balance == 90 && accounts[1].balance == 110);
    return 0;
}
