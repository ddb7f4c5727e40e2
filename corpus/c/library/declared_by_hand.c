// A program that declares the functions of the C library itself, with types of its own.
typedef unsigned long size;
typedef union { char bytes[40]; long align; } pthread_mutex_t;
typedef unsigned long pthread_t;
extern int printf(const char *, ...);
extern void *memset(void *, int, size);
extern size strlen(const char *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void free(void *);
extern void *malloc(size);

static pthread_mutex_t mutex;
static int count;

static void *run(void *argument) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        count++;
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

int main(void) {
    void (*release)(void *) = free;
    char *text = malloc(8);
    pthread_t threads[2];
    void *result;
    memset(text, 'x', 7);
    text[7] = 0;
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, run, (void *)i);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], &result);
    printf("%d %d %d\n", (int)strlen(text), count, (int)(long)result);
    release(text);
    return 0;
}
