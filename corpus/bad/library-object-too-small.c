// A mutex that is too small for the embedded library's.
typedef struct { int locked; } pthread_mutex_t;
extern int pthread_mutex_lock(pthread_mutex_t *);
pthread_mutex_t mutex;
int main(void) {
    return pthread_mutex_lock(&mutex);
}
