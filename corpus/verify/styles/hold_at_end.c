// A thread that ends with the lock held, though nobody waits for the lock afterwards.
//@ all: deadlock fails: the thread ends while it holds the lock
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int n;
static void *f(void *p) { pthread_mutex_lock(&m); if (++n == 1) return p; pthread_mutex_unlock(&m); return p; }
int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m); pthread_join(a, 0); return 0; }
