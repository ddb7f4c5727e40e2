// Polling under a mutex, in a program that declares by hand what it calls, as preprocessed files do.
//@ all: holds: main sets the flag, and whoever looks again sees it
typedef unsigned long pthread_t;
typedef union {
    char size[40];
    long align;
} pthread_mutex_t;
typedef union pthread_attr_t pthread_attr_t;
typedef union {
    char size[4];
    int align;
} pthread_mutexattr_t;
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);

static pthread_mutex_t lock;
static int ready;

static void *polls(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int seen = ready;
        pthread_mutex_unlock(&lock);
        if (seen)
            return unused;
    }
}

int main(void) {
    pthread_t a;
    pthread_mutex_init(&lock, 0);
    pthread_create(&a, 0, polls, 0);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    return 0;
}
