// Two phases separated by a POSIX barrier.
//@ all: holds: the barrier orders the first phase before the second
#include <pthread.h>
#include <assert.h>
#define T 2
static pthread_barrier_t bar; static int a[T], b[T], serial;
static void *f(void *p) { int i = (int)(long)p; a[i] = i + 1; int r = pthread_barrier_wait(&bar); if (r == PTHREAD_BARRIER_SERIAL_THREAD) serial++; b[i] = a[(i + 1) % T]; return 0; }
int main(void) { pthread_t t[T]; pthread_barrier_init(&bar, NULL, T); for (long i = 0; i < T; i++) pthread_create(&t[i], 0, f, (void *)i); for (int i = 0; i < T; i++) pthread_join(t[i], 0); assert(b[0] == 2 && b[1] == 1 && serial == 1); pthread_barrier_destroy(&bar); }
