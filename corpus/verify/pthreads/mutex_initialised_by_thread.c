// A mutex is initialised while another thread may hold it.
//@ sc tso: assert fails, rest cut, deadlock open: main may have locked the mutex when the thread initialises it
//@ pso relaxed armv8 power riscv: assert fails, rest cut, deadlock open, memory open: main may have locked the mutex when the thread initialises it
//@ rc11: assert fails, rest cut, race open, deadlock open, memory open: main may have locked the mutex when the thread initialises it
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_init(&mutex, NULL);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
