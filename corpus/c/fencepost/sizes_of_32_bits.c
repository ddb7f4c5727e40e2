// A file preprocessed for a 32-bit machine: its `size_t` has 32 bits, its objects are smaller.
typedef unsigned int size_t;
typedef union { struct { int lock; unsigned count; int owner, kind; } data; char size[24]; } pthread_mutex_t;
typedef union { char size[48]; long long align; } pthread_cond_t;
extern int printf(const char *, ...);
extern void *memset(void *, int, size_t);
extern size_t strlen(const char *);
extern void *malloc(size_t);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_cond_broadcast(pthread_cond_t *);
pthread_mutex_t mutex = { { 0, 0, 0, 0 } };
pthread_cond_t condition;

int main(void) {
    char *text = malloc(5);
    memset(text, 'x', 4);
    text[4] = 0;
    pthread_mutex_lock(&mutex);
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    printf("%d\n", (int)strlen(text));
    return 0;
}
