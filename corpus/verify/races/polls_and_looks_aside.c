// While a thread looks again and again, with the lock, whether it may go on, it looks at something
// else once it is told to, without the lock.
//@ sc tso pso relaxed armv8 power riscv: holds: what it sees there makes no difference
//@ rc11 imm: race fails: main may write meanwhile what the thread reads
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int phase, aside;
static int sink;

static void *polls(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int seen = phase;
        pthread_mutex_unlock(&lock);
        if (seen == 2)
            return unused;
        if (seen == 1 && aside == 7)
            sink = 1;
    }
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, polls, 0);
    pthread_mutex_lock(&lock);
    phase = 1;
    pthread_mutex_unlock(&lock);
    aside = 3;
    pthread_mutex_lock(&lock);
    phase = 2;
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    return 0;
}
