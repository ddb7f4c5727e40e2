// The same with a thread that is started as a detached one, next to one that main awaits.
//@ all: holds: no thread awaits it, and main does not wait for it to end
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int work;

static void *serves(void *unused) {
    pthread_mutex_lock(&lock);
    while (work < 2)
        pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *asks(void *unused) {
    pthread_mutex_lock(&lock);
    work++;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t server, client;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&server, &attributes, serves, NULL);
    pthread_create(&client, NULL, asks, NULL);
    pthread_join(client, NULL);
    return 0;
}
